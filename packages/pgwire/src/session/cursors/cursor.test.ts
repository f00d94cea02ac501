import { expect, test } from 'vitest'
import { type Row, textShape } from '../results/result-shape.ts'
import { bufferedRows, type RowSource } from '../results/row-source.ts'
import { createSessionMemory } from '../results/session-memory.ts'
import { type CursorMotion, createCursor } from './cursor.ts'
import type { Scroll } from './read-rows.ts'

/** Rows `1` to `count`, and a count of those that were read. */
function counted(count: number): RowSource & { readonly read: () => number } {
  const source = bufferedRows(Array.from({ length: count }, (_, i) => [String(i + 1)]))
  let read = 0
  return {
    ...source,
    read: () => read,
    fetch: async (wanted) => {
      const rows = await source.fetch(wanted)
      read += rows.length
      return rows
    },
  }
}

function open(count: number, scroll: Scroll, maxMemory = 1_000_000, width?: number) {
  const source = counted(count)
  const memory = createSessionMemory(maxMemory)
  const shape = textShape(['n'])
  const cursor = createCursor({
    source,
    shape,
    formats: [],
    scroll,
    width,
    memory,
  })
  const move = async (direction: CursorMotion['direction'], moves: number): Promise<string> => {
    const seen: Row[] = []
    const moved = await cursor.move(
      { direction, count: moves },
      (row) => void seen.push(row),
      () => undefined,
    )
    expect(moved).toBe(seen.length)
    return seen.join(' ')
  }
  return { cursor, source, move, memory }
}

test('rows come as many as asked for, and no more are read', async () => {
  const { move, source } = open(1000, 'never')
  expect(await move('forward', 3)).toBe('1 2 3')
  expect(source.read()).toBe(3)
  expect(await move('relative', 2)).toBe('5')
  expect(await move('absolute', 8)).toBe('8')
  expect(source.read()).toBe(8)
})

test('all of them are read in pieces', async () => {
  const { move } = open(1234, 'never')
  expect((await move('forward', Infinity)).split(' ')).toHaveLength(1234)
  expect(await move('forward', 1)).toBe('')
})

test('without rows kept it goes forward only', async () => {
  const { move } = open(10, 'never')
  await move('forward', 5)
  await expect(move('backward', 1)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('forward', -1)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('absolute', 2)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('relative', -3)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('forward', 0)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('absolute', 5)).rejects.toMatchObject({ sqlState: '55000' })
  await expect(move('absolute', -1)).rejects.toMatchObject({ sqlState: '55000' })
  expect(await move('absolute', 6)).toBe('6')
  expect(await move('forward', 9)).toBe('7 8 9 10')
  expect(await move('forward', 0)).toBe('')
})

test('one that scrolls while its rows are small goes forward only after that', async () => {
  const { cursor, move, memory } = open(20_000, 'whileSmall', 1_500_000)
  await move('forward', 3)
  expect(await move('backward', 1)).toBe('2')
  expect(cursor.isScrollable()).toBe(true)
  await move('forward', Infinity)
  expect(cursor.isScrollable()).toBe(false)
  memory.take(1_400_000)
  await expect(move('backward', 1)).rejects.toMatchObject({ sqlState: '55000' })
})

test('the current row has the cells that are not shown', async () => {
  const { cursor, move } = open(3, 'always', undefined, 0)
  expect(cursor.current()).toBeUndefined()
  expect(await move('forward', 2)).toBe(' ')
  expect(cursor.current()).toEqual(['2'])
  await move('backward', 1)
  expect(cursor.current()).toEqual(['1'])
  await move('forward', 5)
  expect(cursor.current()).toBeUndefined()
})

test('a scrollable one goes anywhere, and past both ends', async () => {
  const { move } = open(10, 'always')
  expect(await move('forward', 4)).toBe('1 2 3 4')
  expect(await move('backward', 2)).toBe('3 2')
  expect(await move('backward', Infinity)).toBe('1')
  expect(await move('backward', 1)).toBe('')
  expect(await move('forward', 1)).toBe('1')
  expect(await move('absolute', -2)).toBe('9')
  expect(await move('forward', 5)).toBe('10')
  expect(await move('backward', 1)).toBe('10')
  expect(await move('absolute', 99)).toBe('')
  expect(await move('relative', -1)).toBe('10')
  expect(await move('absolute', 0)).toBe('')
  expect(await move('forward', -1)).toBe('')
})

test('what is left is there after its source is gone', async () => {
  const { cursor, source, move } = open(1500, 'never')
  await move('forward', 2)
  await cursor.settle()
  await source.close()
  expect(await move('forward', 1)).toBe('3')
  expect((await move('forward', Infinity)).split(' ')).toHaveLength(1497)
})

test('rows are kept as long as the session has room for them', async () => {
  const { move } = open(1000, 'always', 5_000)
  await expect(move('forward', Infinity)).rejects.toMatchObject({ sqlState: '53200' })
})
