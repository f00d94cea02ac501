import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectory } from './open-directory.ts'

test('a changed, an added and a removed file are noticed', async () => {
  const { rows, write, path, eventually } = await openDirectory({
    'a.csv': 'id,n\n1,10\n',
    'b.csv': 'id\n1\n',
  })
  expect(await rows('select id, n from files.a')).toEqual([[1, 10]])

  write('a.csv', 'id,n\n1,11\n2,20\n')
  await eventually('select id, n from files.a order by id', [
    [1, 11],
    [2, 20],
  ])

  write('c.csv', 'id\n7\n')
  await eventually('select id from files.c', [[7]])

  rmSync(join(path, 'b.csv'))
  await expect
    .poll(() => rows('select id from files.b').catch((error: unknown) => error), {
      timeout: 15_000,
    })
    .toMatchObject({ problem: 'tableNotFound' })
})

test('a file whose columns change is another table', async () => {
  const { write, eventually, engine, rows } = await openDirectory({ 'a.csv': 'id,n\n1,10\n' })
  expect(await rows('select n from files.a')).toEqual([[10]])

  write('a.csv', 'code;label\nx1;first\n')

  await eventually('select code, label from files.a', [['x1', 'first']])
  const columns = engine.catalog().connections.get('files')?.tables.get('a')?.columns
  expect(columns?.map(({ name }) => name)).toEqual(['code', 'label'])
})

test('a file that becomes unreadable leaves the table as it was', async () => {
  const { rows, write, complaints, eventually } = await openDirectory({ 'a.csv': 'id,n\n1,10\n' })

  write('a.csv', 'id,n\n1\n')
  await expect.poll(() => complaints.length, { timeout: 15_000 }).toBe(1)
  expect(await rows('select id, n from files.a')).toEqual([[1, 10]])

  write('a.csv', 'id,n\n1,12\n')
  await eventually('select id, n from files.a', [[1, 12]])
})

test('who reads while files are replaced sees the old table or the new one', async () => {
  const version = (n: number) =>
    `id,n\n${Array.from({ length: 2_000 }, (_, id) => `${id},${n}`).join('\n')}\n`
  const { rows, write } = await openDirectory({ 'a.csv': version(0) })
  const seen = new Set<string>()
  let isOver = false
  const reader = async (): Promise<void> => {
    while (!isOver) {
      seen.add(JSON.stringify(await rows('select count(*)::int, min(n), max(n) from files.a')))
    }
  }

  const readers = [reader(), reader()]
  for (let n = 1; n <= 5; n += 1) {
    write('a.csv', version(n))
    await expect.poll(() => rows('select max(n) from files.a'), { timeout: 15_000 }).toEqual([[n]])
  }
  isOver = true
  await Promise.all(readers)

  for (const answer of seen) {
    const [[count, min, max]] = JSON.parse(answer) as [[number, number, number]]
    expect([count, min]).toEqual([2_000, max])
  }
  expect(seen.size).toBeGreaterThan(1)
})
