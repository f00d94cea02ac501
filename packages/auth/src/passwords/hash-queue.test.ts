import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

/** Work that ends when the test says so. */
function controlled() {
  const started: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => started.push(resolve))
  return { started, work }
}

test('no more run than have a place, in the order in which they came', async () => {
  const queue = createHashQueue({ maxRunning: 2, maxQueued: 2 })
  const { started, work } = controlled()
  const all = [1, 2, 3, 4].map(() => queue.run(work))
  await Promise.resolve()
  expect(started).toHaveLength(2)
  expect(queue.stats()).toEqual({ running: 2, queued: 2, finished: 0 })
  started[0]?.()
  await all[0]
  await Promise.resolve()
  expect(started).toHaveLength(3)
  started[1]?.()
  started[2]?.()
  await all[2]
  await Promise.resolve()
  started[3]?.()
  await Promise.all(all)
  expect(queue.stats()).toEqual({ running: 0, queued: 0, finished: 4 })
})

test('one too many is refused at once, and says when to come again', async () => {
  const queue = createHashQueue({ maxRunning: 1, maxQueued: 1 })
  const { started, work } = controlled()
  const running = queue.run(work)
  const waiting = queue.run(work)
  await expect(queue.run(work)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    rate: { isAllowed: false, retryAfterMs: 1_000 },
  })
  started[0]?.()
  await running
  await Promise.resolve()
  started[1]?.()
  await waiting
})

test('work that fails gives its place to the next', async () => {
  const queue = createHashQueue({ maxRunning: 1, maxQueued: 1 })
  const failing = queue.run(() => Promise.reject(new Error('no memory')))
  const next = queue.run(async () => 'done')
  await expect(failing).rejects.toThrow('no memory')
  await expect(next).resolves.toBe('done')
})
