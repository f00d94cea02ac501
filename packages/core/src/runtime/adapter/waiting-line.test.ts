import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unreachableDatabase } from '../../foundation/adapter-errors.ts'
import { createWaitingLine } from './waiting-line.ts'

const late = () => unreachableDatabase(new Error('all connections stayed busy'))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('callers get sessions in the order of their arrival', async () => {
  const line = createWaitingLine<string>(1_000, late)
  const [first, second] = [line.enter(undefined), line.enter(undefined)]
  expect(line.length()).toBe(2)

  line.next()?.give('a')
  line.next()?.give('b')

  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  expect(line.next()).toBeUndefined()
})

test('a caller that no longer waits leaves the line', async () => {
  const line = createWaitingLine<string>(1_000, late)
  const controller = new AbortController()
  const left = line.enter(controller.signal)
  const patient = line.enter(undefined)

  controller.abort()

  await expect(left).rejects.toMatchObject({ sqlState: '57014' })
  line.next()?.give('a')
  expect(await patient).toBe('a')
})

test('each waits as long as it may, and no longer', async () => {
  const line = createWaitingLine<string>(1_000, late)
  const outcomes: string[] = []
  const wait = (name: string) =>
    line.enter(undefined).then(
      () => outcomes.push(`${name}: session`),
      (error: { problem: string }) => outcomes.push(`${name}: ${error.problem}`),
    )
  void wait('first')
  await vi.advanceTimersByTimeAsync(600)
  void wait('second')
  await vi.advanceTimersByTimeAsync(500)
  expect(outcomes).toEqual(['first: unavailable'])

  await vi.advanceTimersByTimeAsync(600)

  expect(outcomes).toEqual(['first: unavailable', 'second: unavailable'])
  expect(line.length()).toBe(0)
})
