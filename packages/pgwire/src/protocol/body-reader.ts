/** @module Reads the parts of a message, one after the other. */
import { isUtf8 } from 'node:buffer'
import { GatewayError } from '@engine/core'
import type { ClientEncoding } from '../encodings/client-encoding.ts'

/** The error for a body that does not fit the type of its message. */
export function malformed(sqlState: '08P01' | '22021' | '22023', reason: string): GatewayError {
  return new GatewayError('badRequest', reason, { sqlState })
}

/** Every method throws a `GatewayError` when not enough bytes are left, or the bytes are invalid. */
export interface BodyReader {
  /** From now on the bytes from `start` to `end` are read. @param encoding of texts; UTF-8 where it is undefined */
  begin(bytes: Buffer, start: number, end: number, encoding?: ClientEncoding): void
  byte(): number
  int16(): number
  int32(): number
  uint32(): number
  /** Reads up to a NUL. */
  text(): string
  /** Reads an int32 length, then that number of bytes; a length of -1 is NULL. */
  value(): Uint8Array | null
  /** Reads an int16 count, then calls `read` that number of times; each part has at least `leastBytes` bytes. */
  list<Item>(read: () => Item, leastBytes: number): readonly Item[]
  /** Throws when bytes are left. */
  finish(): void
}

const nothing: readonly never[] = []

/** Reads one body after the other. Values are copies; values of the same body share memory. */
export function createBodyReader(): BodyReader {
  let bytes: Buffer = Buffer.alloc(0)
  let at = 0
  let end = 0
  let values: Buffer | undefined
  let encoding: ClientEncoding | undefined

  const forward = (count: number): number => {
    const from = at
    if (from + count > end) throw malformed('08P01', 'insufficient data left in message')
    at = from + count
    return from
  }

  return {
    begin: (nextBytes, start, nextEnd, nextEncoding) => {
      bytes = nextBytes
      encoding = nextEncoding
      at = start
      end = nextEnd
      values = undefined
    },
    byte: () => bytes[forward(1)] ?? 0,
    int16: () => bytes.readInt16BE(forward(2)),
    int32: () => bytes.readInt32BE(forward(4)),
    uint32: () => bytes.readUInt32BE(forward(4)),
    text: () => {
      if (at < end && bytes[at] === 0) {
        at += 1
        return ''
      }
      const nul = bytes.indexOf(0, at)
      if (nul === -1 || nul >= end) throw malformed('08P01', 'invalid string in message')
      const from = at
      at = nul + 1
      return encoding === undefined
        ? utf8(bytes, from, nul)
        : encoding.decode(bytes.subarray(from, nul))
    },
    value: () => {
      const length = bytes.readInt32BE(forward(4))
      if (length === -1) return null
      if (length < 0) throw malformed('08P01', 'insufficient data left in message')
      const from = forward(length)
      values ??= Buffer.from(bytes.subarray(from, end))
      const offset = values.length - (end - from)
      return values.subarray(offset, offset + length)
    },
    list: (read, leastBytes) => {
      const count = bytes.readInt16BE(forward(2)) & 0xffff
      if (count === 0) return nothing
      if (at + count * leastBytes > end) {
        throw malformed('08P01', 'insufficient data left in message')
      }
      const items = new Array<ReturnType<typeof read>>(count)
      for (let i = 0; i < count; i += 1) items[i] = read()
      return items
    },
    finish: () => {
      if (at !== end) throw malformed('08P01', 'invalid message format')
    },
  }
}

/** The replacement character for invalid bytes. */
const replacement = '\ufffd'

/** @throws {GatewayError} 22021. */
function utf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  if (text.includes(replacement) && !isUtf8(bytes.subarray(start, end))) {
    throw malformed('22021', invalidUtf8(bytes.subarray(start, end)))
  }
  return text
}

/** PostgreSQL's message, with the bytes of the first invalid character. */
function invalidUtf8(bytes: Uint8Array): string {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at] ?? 0)
    const sequence = bytes.subarray(at, at + length)
    if (sequence.length < length || !isUtf8(sequence)) {
      const hex = [...sequence].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)
      return `invalid byte sequence for encoding "UTF8": ${hex.join(' ')}`
    }
    at += length
  }
  return 'invalid byte sequence for encoding "UTF8"'
}

/** The number of bytes of a character that begins with this byte; 1 where no character does. */
function sequenceLength(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : first < 0xf8 ? 4 : 1
}
