import { expect, test } from 'vitest'
import { cancelled } from './adapter-errors.ts'
import { rejectAfter, withAbortDeadline } from './deadline.ts'
import { GatewayError } from './errors.ts'

/** Work that continues until its signal fires, and then fails as adapters do. */
const endless =
  (error: unknown = cancelled()) =>
  (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(error)
      signal.addEventListener('abort', () => reject(error))
    })

test('work that is done in time is left alone', async () => {
  expect(await withAbortDeadline(10_000, undefined, async () => 7)).toBe(7)
  const conflict = new GatewayError('conflict', 'taken')
  await expect(withAbortDeadline(10_000, undefined, () => Promise.reject(conflict))).rejects.toBe(
    conflict,
  )
})

test('work that does not end although it was told to is not waited for', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(rejectAfter(-3_000, promise)).rejects.toMatchObject({
    problem: 'queryTimeout',
    sqlState: '57014',
  })
  reject(new Error('much later'))
  expect(await rejectAfter(1_000, Promise.resolve(7))).toBe(7)
})

test('what is cancelled since time is up took too long', async () => {
  await expect(withAbortDeadline(5, undefined, endless())).rejects.toMatchObject({
    problem: 'queryTimeout',
    status: 408,
    sqlState: '57014',
  })
})

test('a timeout keeps its own words', async () => {
  const own = new GatewayError('queryTimeout', 'own words', { sqlState: '57014' })
  await expect(withAbortDeadline(5, undefined, endless(own))).rejects.toBe(own)
})

test('what fails for another reason when time is up says that reason', async () => {
  const lost = new GatewayError('unavailable', 'lost', { sqlState: '08006' })
  await expect(withAbortDeadline(5, undefined, endless(lost))).rejects.toBe(lost)
})

test('what is cancelled since nobody waits is not a timeout', async () => {
  const gone = AbortSignal.abort()
  await expect(withAbortDeadline(10_000, gone, endless())).rejects.toMatchObject({
    problem: 'unavailable',
  })
})
