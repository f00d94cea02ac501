/** @module Limits responses that clients do not read: they are held in memory, so their time and their size are limited. */
import type { ServerResponse } from 'node:http'

export interface UnreadResponseOptions {
  /** Responses that are not yet completely sent. */
  readonly unanswered: Iterable<ServerResponse>
  /** A connection whose client reads nothing of its response for this many milliseconds is closed. */
  readonly stallMs: number
  /** Maximum unread bytes of all connections; above it, the connections that have waited longest are closed. */
  readonly maxBytes: number
}

/** Smaller responses do not count: the operating system buffers about as much itself. */
const fewBytes = 65_536

/** @returns a function that checks the unread responses; call it periodically. */
export function createUnreadResponseCheck(options: UnreadResponseOptions): () => void {
  const { unanswered, stallMs, maxBytes } = options
  /** In the order in which they were seen waiting. */
  const known = new WeakMap<ServerResponse, number>()
  let seen = 0
  return () => {
    let bytes = 0
    const waiting: ServerResponse[] = []
    for (const response of unanswered) {
      if (!response.writableEnded || response.writableLength < fewBytes) continue
      waiting.push(response)
      bytes += response.writableLength
      if (known.has(response)) continue
      known.set(response, seen++)
      // Node checks whether any byte was read meanwhile; the next request on the connection sets its own time.
      response.setTimeout(stallMs)
    }
    if (bytes <= maxBytes) return
    const place = (response: ServerResponse) => known.get(response) ?? 0
    for (const response of waiting.sort((a, b) => place(a) - place(b))) {
      if (bytes <= maxBytes) return
      bytes -= response.writableLength
      response.destroy()
    }
  }
}
