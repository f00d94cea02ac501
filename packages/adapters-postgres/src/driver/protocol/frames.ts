/** @module Splits the bytes of the socket into messages of the server. Only messages that arrive in pieces are copied. */

/** Type of a message: its first byte. @see PostgreSQL, "Message Formats" */
export const messages = {
  parseComplete: 0x31,
  notification: 0x41,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  notice: 0x4e,
  parameterStatus: 0x53,
  rowDescription: 0x54,
  readyForQuery: 0x5a,
  portalSuspended: 0x73,
} as const

/** Type and length in front of every message. */
export const headerLength = 5

export interface FrameHandler {
  /** One message: `bytes` from `start` to `end` follow its header. The receiver must not keep the bytes. */
  onMessage(type: number, bytes: Buffer, start: number, end: number): void
  /** The bytes are not a message, or a message has more than `maxBytes`: no byte after it is read. */
  onRefused(reason: 'malformed' | 'tooLarge'): void
}

export interface FrameReader {
  /** Calls the handler for every message that is complete now. */
  read(chunk: Buffer): void
  /** Passes on no more messages. */
  stop(): void
}

/** @param maxBytes maximum bytes of a message. */
export function createFrameReader(
  maxBytes: number,
  { onMessage, onRefused }: FrameHandler,
): FrameReader {
  /** Pieces of an incomplete message, the first one at its beginning, and their bytes. */
  let pieces: Buffer[] = []
  let held = 0
  /** Minimum number of bytes for the next step. */
  let wanted = headerLength
  let isStopped = false

  const refuse = (reason: 'malformed' | 'tooLarge') => {
    isStopped = true
    pieces = []
    onRefused(reason)
  }
  /** Passes on all complete messages, keeps the rest. */
  const split = (bytes: Buffer) => {
    let offset = 0
    wanted = headerLength
    while (!isStopped && offset + headerLength <= bytes.length) {
      const length = bytes.readInt32BE(offset + 1)
      if (length < 4) return refuse('malformed')
      if (length > maxBytes) return refuse('tooLarge')
      const end = offset + 1 + length
      if (end > bytes.length) {
        wanted = 1 + length
        break
      }
      onMessage(bytes[offset] ?? 0, bytes, offset + headerLength, end)
      offset = end
    }
    if (isStopped || offset === bytes.length) return
    pieces.push(bytes.subarray(offset))
    held = bytes.length - offset
  }
  return {
    read: (chunk) => {
      if (isStopped) return
      if (pieces.length === 0) return split(chunk)
      pieces.push(chunk)
      held += chunk.length
      if (held < wanted) return
      const bytes = Buffer.concat(pieces, held)
      pieces = []
      held = 0
      split(bytes)
    },
    stop: () => {
      isStopped = true
      pieces = []
    },
  }
}
