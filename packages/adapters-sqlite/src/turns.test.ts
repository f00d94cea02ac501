import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('one at a time, in the order in which they came', async () => {
  const turns = createTurns(10_000)
  const order: number[] = []
  let running = 0
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const end = await turns.take()
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

test('who waits too long is sent away, and the turn goes to the next', async () => {
  const turns = createTurns(20)
  const end = await turns.take()
  await expect(turns.take()).rejects.toMatchObject({ problem: 'unavailable' })
  const next = turns.take()
  end()
  const endNext = await next
  endNext()
  expect(await turns.take()).toBeTypeOf('function')
})

test('closing sends away who waits, and waits for who has a turn', async () => {
  const turns = createTurns(10_000)
  const end = await turns.take()
  const waiting = turns.take()
  let isClosed = false
  const closing = turns.close().then(() => {
    isClosed = true
  })
  await expect(waiting).rejects.toMatchObject({ problem: 'unavailable' })
  expect(isClosed).toBe(false)
  end()
  await closing
  await expect(turns.take()).rejects.toMatchObject({ problem: 'unavailable' })
})
