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

/** A message that is too large, and the number of its bytes that have not arrived. */
interface Skipping {
  rest: number
  readonly message: FrontendMessage
}

/** @param limit maximum bytes of a message; longer ones are skipped and reported as `tooLarge`. */
export function createFrameReader(limit: number): FrameReader {
  return new LimitedReader(limit)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class LimitedReader implements FrameReader {
  readonly #limit: number
  readonly #input = createInputBuffer()
  #skipping: Skipping | undefined
  #ahead: FrontendMessage | Desynchronised | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    this.#input.append(chunk)
  }

  take(): FrontendMessage | Desynchronised | undefined {
    const message = this.#ahead
    if (message === undefined) return this.#read()
    this.#ahead = undefined
    return message
  }

  peekType(): FrontendMessage['type'] | undefined {
    this.#ahead ??= this.#read()
    return this.#ahead?.type === 'desynchronised' ? undefined : this.#ahead?.type
  }

  buffered(): number {
    return this.#input.length()
  }

  #read(): FrontendMessage | Desynchronised | undefined {
    if (this.#skipping !== undefined) return this.#skip(this.#skipping)
    const input = this.#input
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
    if (size > this.#limit) {
      input.consume(headerLength)
      const message = { type: 'tooLarge', of: form.group, size, limit: this.#limit } as const
      this.#skipping = { rest: size, message }
      return this.#skip(this.#skipping)
    }
    if (available < headerLength + size) return undefined
    const body = start + headerLength
    const message = decodeMessage(type, bytes, body, body + size)
    input.consume(headerLength + size)
    return message
  }

  /** Skips bytes of a message that is too large. @returns the message, once all its bytes have arrived. */
  #skip(from: Skipping): FrontendMessage | undefined {
    const dropped = Math.min(from.rest, this.#input.length())
    this.#input.consume(dropped)
    from.rest -= dropped
    if (from.rest > 0) return undefined
    this.#skipping = undefined
    return from.message
  }
}

function desynchronised(reason: string): Desynchronised {
  return { type: 'desynchronised', reason }
}
