import { silentLog } from '@engine/core'
import { expect, test } from 'vitest'
import { createBackgroundQueue } from './background-queue.ts'

test('work starts after the caller, and drain waits for all of it', async () => {
  const done: number[] = []
  const queue = createBackgroundQueue({ log: silentLog, maxRunning: 2 })
  for (const i of [1, 2, 3, 4, 5]) {
    queue.add('work', async () => {
      await Promise.resolve()
      done.push(i)
    })
  }
  expect(done).toEqual([])
  await queue.drain()
  expect(done).toEqual([1, 2, 3, 4, 5])
})

test('what fails is logged and holds nothing up', async () => {
  const logged: string[] = []
  const log = { ...silentLog, error: (_: object, message: string) => void logged.push(message) }
  const queue = createBackgroundQueue({ log, maxRunning: 1 })
  let isDone = false
  queue.add('a mail', () => Promise.reject(new Error('away')))
  queue.add('another', async () => {
    isDone = true
  })
  await queue.drain()
  expect(isDone).toBe(true)
  expect(logged).toEqual(['a mail failed'])
})

test('what is too much is dropped', () => {
  const logged: string[] = []
  const log = { ...silentLog, error: (_: object, message: string) => void logged.push(message) }
  const queue = createBackgroundQueue({ log, maxQueued: 1 })
  expect(queue.add('the first', async () => undefined)).toBe(true)
  expect(queue.add('the second', async () => undefined)).toBe(false)
  expect(logged).toEqual(['the second was dropped: too much waits already'])
})
