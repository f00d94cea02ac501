import { GatewayError } from '@engine/core'
import { expect, test, vi } from 'vitest'
import { type Cancellation, type Connected, createCancellation } from './cancellation.ts'

/** The connection of a client that closes it when `signal` aborts. */
const connected = (signal: AbortSignal = new AbortController().signal): Connected => ({
  isAbandoned: () => signal.aborted,
  onAbandoned: (callback) => signal.addEventListener('abort', callback, { once: true }),
})

function guarded<T>(
  cancellation: Cancellation,
  work: (signal: () => AbortSignal) => T | Promise<T>,
  client: Connected = connected(),
): Promise<T> {
  const guard = cancellation.enter(client)
  return new Promise((resolve, reject) => {
    guard.run(() => work(() => guard.signal()), resolve, reject)
  })
}

/** Behaves like a statement: fails when its signal aborts. */
const statement = (signal: AbortSignal): Promise<string> =>
  new Promise((_, reject) => {
    const abort = () =>
      reject(new GatewayError('queryTimeout', 'canceling statement', { sqlState: '57014' }))
    signal.addEventListener('abort', abort, { once: true })
  })

test('work that ends is answered as it ends', async () => {
  const cancellation = createCancellation()
  expect(await guarded(cancellation, () => 5)).toBe(5)
  const failed = guarded(cancellation, async () => {
    throw new GatewayError('conflict', 'taken')
  })
  await expect(failed).rejects.toMatchObject({ problem: 'conflict' })
})

test('a statement that the end of the server cancels is answered 503', async () => {
  const cancellation = createCancellation()
  const answer = guarded(cancellation, (signal) => statement(signal()))
  cancellation.cancelAll()
  await expect(answer).rejects.toMatchObject({ status: 503, sqlState: '57P01' })
})

test('what was wrong with a request is what it is answered, at the end too', async () => {
  const cancellation = createCancellation()
  const { promise, reject } = Promise.withResolvers<never>()
  const answer = guarded(cancellation, () => promise)
  cancellation.cancelAll()
  reject(new GatewayError('permissionDenied', 'no'))
  await expect(answer).rejects.toMatchObject({ status: 403 })
})

test('what takes no notice is answered after a while', async () => {
  vi.useFakeTimers()
  const cancellation = createCancellation()
  const answer = guarded(cancellation, () => new Promise<never>(() => undefined))
  const refused = expect(answer).rejects.toMatchObject({ status: 503 })
  cancellation.cancelAll()
  vi.runAllTimers()
  vi.useRealTimers()
  await refused
})

test('what comes afterwards is refused, and what asks for its signal late finds it aborted', async () => {
  const cancellation = createCancellation()
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = guarded(cancellation, async (signal) => {
    await promise
    return signal().aborted
  })
  cancellation.cancelAll()
  await expect(guarded(cancellation, () => 1)).rejects.toMatchObject({ status: 503 })
  resolve()
  expect(await answer).toBe(true)
})

test('a client that disconnects cancels its own request alone', async () => {
  const cancellation = createCancellation()
  const client = new AbortController()
  const answer = guarded(cancellation, (signal) => statement(signal()), connected(client.signal))
  const other = guarded(cancellation, async (signal) => {
    await Promise.resolve()
    return signal().aborted
  })
  client.abort()
  await expect(answer).rejects.toMatchObject({ problem: 'queryTimeout' })
  expect(await other).toBe(false)
})
