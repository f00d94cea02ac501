/**
 * @module Closes a listening socket without loss. The operating system resets connections that nobody has accepted when it is closed,
 * and a client cannot know whether a request that it has sent on one of them was executed.
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

/** It is closed when no client has connected for this number of milliseconds. */
const quietMs = 20

/** The longest duration of a short turn, in milliseconds. */
const shortTurnMs = 0.5

/**
 * Accepts connections until none comes, then closes the socket at the end of a short turn of the event loop in which none was
 * accepted: a turn accepts one connection, whatever waits. After half of `limitMs` the first such turn is enough.
 */
export async function closeListener(
  listener: Listener,
  { close, limitMs }: CloseListenerOptions,
): Promise<void> {
  const startedAtMs = performance.now()
  const endMs = startedAtMs + limitMs
  let accepted = 0
  let acceptedAtMs = startedAtMs
  const onConnection = () => {
    accepted += 1
    acceptedAtMs = performance.now()
  }
  listener.on('connection', onConnection)
  for (;;) {
    const before = accepted
    await shortTurn(endMs - performance.now())
    const nowMs = performance.now()
    if (nowMs >= endMs) break
    if (accepted > before) continue
    const leftMs = Math.min(acceptedAtMs + quietMs, startedAtMs + limitMs / 2) - nowMs
    if (leftMs <= 0) break
    await sleep(leftMs)
  }
  listener.off('connection', onConnection)
  close()
}

/**
 * Resolves at the end of a short turn of the event loop, or of the first one that ends after `limitMs` milliseconds. Each turn reads
 * the requests that have arrived; what arrives after that waits for the next one, so that only a short time is left for it.
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
