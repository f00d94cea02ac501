/** @module Answers that a client does not take: they are held in memory, so neither for ever nor without end. */
import type { ServerResponse } from 'node:http'

export interface UnreadResponseOptions {
  /** Answers that are not yet sent, whole or in part. */
  readonly unanswered: ReadonlySet<ServerResponse>
  /** A connection on which nothing of an answer is taken for so many milliseconds ends. */
  readonly stallMs: number
  /** Where more bytes than that wait on all connections, those whose answers have waited longest end. */
  readonly maxBytes: number
}

/** Less than that is no matter: the operating system holds about as much itself. */
const fewBytes = 65_536

/** @returns a function that looks at what waits, to be called now and then. */
export function createUnreadResponseCheck(options: UnreadResponseOptions): () => void {
  const { unanswered, stallMs, maxBytes } = options
  const known = new WeakSet<ServerResponse>()
  return () => {
    let bytes = 0
    const waiting: ServerResponse[] = []
    for (const response of unanswered) {
      if (!response.writableEnded || response.writableLength < fewBytes) continue
      waiting.push(response)
      bytes += response.writableLength
      if (known.has(response)) continue
      known.add(response)
      // Node looks whether any byte was taken meanwhile; what follows on the connection sets its own time.
      response.setTimeout(stallMs)
    }
    for (const response of waiting) {
      if (bytes <= maxBytes) return
      bytes -= response.writableLength
      response.destroy()
    }
  }
}
