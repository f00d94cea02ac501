import type { Duplex } from 'node:stream'

/** Milliseconds for a client to read the last messages and close its side. */
const lingerMs = 1_000

/**
 * Closes a connection so that the client can read what was written: closing a socket with unread bytes of the client
 * would discard the answer. Gives up after a second.
 *
 * @returns when it is closed.
 */
export function closeGently(stream: Duplex): Promise<void> {
  if (stream.closed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => stream.destroy(), lingerMs)
  stream.once('close', () => {
    clearTimeout(timer)
    resolve()
  })
  stream.once('end', () => stream.end(() => stream.destroy()))
  stream.on('data', () => undefined)
  stream.end()
  stream.resume()
  return promise
}
