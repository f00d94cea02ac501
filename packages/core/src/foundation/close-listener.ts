/**
 * @module Closes a listening socket when no connection waits to be accepted. The operating system resets those that wait, and a client
 * cannot know whether a request that it has sent on one of them was executed.
 */
import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'

/** A server of `node:net` or `node:http`. */
export interface Listener {
  on(event: 'connection', listener: () => void): unknown
  off(event: 'connection', listener: () => void): unknown
}

/** How, and by when, a listening socket is closed. */
export interface CloseListenerOptions {
  /** Closes the listening socket before it returns. */
  readonly close: () => void
  /** It is closed after this number of milliseconds even while clients go on to connect. */
  readonly limitMs: number
}

/** For this number of milliseconds no client connects before the socket is closed. Half of it after each time that one does. */
const firstQuietMs = 20

/** The longest duration of a short turn, in milliseconds. */
const shortTurnMs = 0.5

/**
 * Accepts connections until none comes for a moment, then closes the socket at the end of a short turn of the event loop that has
 * accepted none: Node accepts one in each turn, so that others wait after a turn that has accepted one.
 */
export async function closeListener(
  listener: Listener,
  { close, limitMs }: CloseListenerOptions,
): Promise<void> {
  const endMs = performance.now() + limitMs
  let accepted = 0
  const onConnection = () => {
    accepted += 1
  }
  listener.on('connection', onConnection)
  for (let quietMs = firstQuietMs; ; quietMs /= 2) {
    const before = accepted
    if (quietMs >= 1) await sleep(Math.min(quietMs, limitMs))
    await shortTurn(endMs - performance.now())
    if (accepted === before || performance.now() >= endMs) break
  }
  listener.off('connection', onConnection)
  close()
}

/**
 * Resolves at the end of a short turn of the event loop, or of the first one that ends after `limitMs` milliseconds. Each turn accepts
 * connections and reads requests; what arrives after that waits for the next one, so that only a short time is left for it.
 */
export async function shortTurn(limitMs: number): Promise<void> {
  const startedAtMs = performance.now()
  let beganAtMs = startedAtMs
  await immediately()
  for (;;) {
    const nowMs = performance.now()
    if (nowMs - beganAtMs < shortTurnMs || nowMs - startedAtMs >= limitMs) return
    beganAtMs = nowMs
    await immediately()
  }
}
