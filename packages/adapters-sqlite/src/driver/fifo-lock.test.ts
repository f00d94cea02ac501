import { expect, test } from 'vitest'
import { createFifoLock } from './fifo-lock.ts'

test('the lock is granted one at a time, in the order of the requests', async () => {
  const lock = createFifoLock(10_000)
  const order: number[] = []
  let running = 0
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const end = await lock.acquire()
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      order.push(i)
      running -= 1
      end()
      end()
    }),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

test('a wait that is too long is refused, and the next request gets the lock', async () => {
  const lock = createFifoLock(20)
  const end = await lock.acquire()
  await expect(lock.acquire()).rejects.toMatchObject({ problem: 'unavailable' })
  const next = lock.acquire()
  end()
  const endNext = await next
  endNext()
  expect(await lock.acquire()).toBeTypeOf('function')
})

test('closing refuses the requests that wait, and waits until the lock is free', async () => {
  const lock = createFifoLock(10_000)
  const end = await lock.acquire()
  const waiting = lock.acquire()
  let isClosed = false
  const closing = lock.close().then(() => {
    isClosed = true
  })
  await expect(waiting).rejects.toMatchObject({ problem: 'unavailable' })
  expect(isClosed).toBe(false)
  end()
  await closing
  await expect(lock.acquire()).rejects.toMatchObject({ problem: 'unavailable' })
})
