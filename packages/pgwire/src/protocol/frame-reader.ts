/** @module Splits the bytes of a client, in pieces of any size, into messages. */
import type { ClientEncoding } from '../encodings/client-encoding.ts'
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

/**
 * @param limit maximum bytes of a message; longer ones are skipped and reported as `tooLarge`
 * @param encoding that of texts in the message that is taken; undefined is UTF-8
 */
export function createFrameReader(
  limit: number,
  encoding: () => ClientEncoding | undefined = inUtf8,
): FrameReader {
  return new LimitedReader(limit, encoding)
}

const inUtf8 = () => undefined

/** The body of a message that was read before its turn: it is read again where the message before it changes the encoding. */
interface Body {
  readonly type: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly encoding: ClientEncoding | undefined
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class LimitedReader implements FrameReader {
  readonly #limit: number
  readonly #input = createInputBuffer()
  #skipping: Skipping | undefined
  readonly #encoding: () => ClientEncoding | undefined
  #ahead: FrontendMessage | Desynchronised | undefined
  #aheadBody: Body | undefined

  constructor(limit: number, encoding: () => ClientEncoding | undefined) {
    this.#limit = limit
    this.#encoding = encoding
  }

  push(chunk: Buffer): void {
    this.#input.append(chunk)
  }

  take(): FrontendMessage | Desynchronised | undefined {
    const message = this.#ahead
    if (message === undefined) return this.#read(false)
    const body = this.#aheadBody
    this.#ahead = undefined
    this.#aheadBody = undefined
    const encoding = this.#encoding()
    if (body === undefined || body.encoding === encoding) return message
    return decodeMessage(body.type, body.bytes, body.start, body.end, encoding)
  }

  peekType(): FrontendMessage['type'] | undefined {
    this.#ahead ??= this.#read(true)
    return this.#ahead?.type === 'desynchronised' ? undefined : this.#ahead?.type
  }

  buffered(): number {
    return this.#input.length()
  }

  #read(isAhead: boolean): FrontendMessage | Desynchronised | undefined {
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
    const end = body + size
    const encoding = this.#encoding()
    const message = decodeMessage(type, bytes, body, end, encoding)
    if (isAhead) this.#aheadBody = { type, bytes, start: body, end, encoding }
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
