/** @module Splits the bytes of a client, in pieces of any size, into messages. */
import { decodeMessage, groupOf } from './decode-message.ts'
import type { FrontendMessage } from './frontend-message.ts'
import { createInputBuffer } from './input-buffer.ts'

/** The bytes are not the wire protocol: the rest cannot be understood. */
export interface Desynchronised {
  readonly type: 'desynchronised'
  readonly reason: string
}

export interface FrameReader {
  push(chunk: Buffer): void
  /** The next message that has arrived whole; undefined while there is none. */
  take(): FrontendMessage | Desynchronised | undefined
  /** The result of the next `take`, if a whole message has arrived. */
  peekType(): FrontendMessage['type'] | undefined
  /** Number of bytes that wait to be taken. */
  buffered(): number
}

/** PostgreSQL accepts no longer messages either: 1 GB less one byte. */
const longestSkipped = 0x3fff_fffe

/** Maximum bytes of messages that hold at most a name. */
const longestSmall = 10_000

const headerLength = 5

/** @param limit maximum bytes of a message; longer ones are skipped and reported as `tooLarge`. */
export function createFrameReader(limit: number): FrameReader {
  const input = createInputBuffer()
  let skipping: { rest: number; readonly message: FrontendMessage } | undefined
  let ahead: FrontendMessage | Desynchronised | undefined

  /** Skips bytes of a message that is too large. @returns the message, once all its bytes have arrived. */
  const skip = (from: NonNullable<typeof skipping>): FrontendMessage | undefined => {
    const dropped = Math.min(from.rest, input.length())
    input.consume(dropped)
    from.rest -= dropped
    if (from.rest > 0) return undefined
    skipping = undefined
    return from.message
  }

  const read = (): FrontendMessage | Desynchronised | undefined => {
    if (skipping !== undefined) return skip(skipping)
    const available = input.length()
    if (available < headerLength) return undefined
    const bytes = input.bytes()
    const start = input.start()
    const type = bytes[start] ?? 0
    const length = bytes.readInt32BE(start + 1)
    const form = groupOf(type)
    if (form === undefined) return desynchronised(`invalid frontend message type ${type}`)
    if (length < 4 || length > (form.isSmall ? longestSmall : longestSkipped)) {
      return desynchronised('invalid message length')
    }
    const size = length - 4
    if (size > limit) {
      input.consume(headerLength)
      const message = { type: 'tooLarge', of: form.group, size, limit } as const
      skipping = { rest: size, message }
      return skip(skipping)
    }
    if (available < headerLength + size) return undefined
    const body = start + headerLength
    const message = decodeMessage(type, bytes, body, body + size)
    input.consume(headerLength + size)
    return message
  }

  return {
    push: (chunk) => input.append(chunk),
    take: () => {
      if (ahead === undefined) return read()
      const message = ahead
      ahead = undefined
      return message
    },
    peekType: () => {
      ahead ??= read()
      return ahead?.type === 'desynchronised' ? undefined : ahead?.type
    },
    buffered: () => input.length(),
  }
}

function desynchronised(reason: string): Desynchronised {
  return { type: 'desynchronised', reason }
}
