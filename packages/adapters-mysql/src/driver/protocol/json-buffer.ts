/** @module JSON text that is put together as bytes. */
import { isAscii, isUtf8 } from 'node:buffer'

/** Grows while rows are added to it. Every method appends. */
export interface JsonBuffer {
  readonly length: () => number
  byte(byte: number): void
  /** Bytes that are JSON already. */
  bytes(bytes: Uint8Array, start: number, end: number): void
  /** Text that is JSON already. */
  text(text: string): void
  integer(value: number): void
  /** `"2024-01-15"` for a year of four digits. */
  digits(value: number, count: number): void
  /** A JSON string of UTF-8 bytes. */
  quoted(bytes: Buffer, start: number, end: number): void
  finish(): string | Uint8Array
}

/** Bytes of a text for which room is made at once. */
const pieceLength = 4_096

/** Shorter cells are copied byte by byte: a call takes longer. */
const minBlock = 48

/** Larger answers stay bytes: a text would be copied once more. */
const maxText = 16_384

/** @param capacity expected number of bytes. */
export function createJsonBuffer(capacity: number): JsonBuffer {
  let out = Buffer.allocUnsafe(capacity)
  let length = 0

  const reserve = (more: number): void => {
    if (length + more <= out.length) return
    const larger = Buffer.allocUnsafe(Math.max(out.length * 2, length + more))
    out.copy(larger, 0, 0, length)
    out = larger
  }
  const text = (json: string): void => {
    reserve(json.length * 3)
    length += out.write(json, length, 'utf8')
  }
  const copy = (bytes: Uint8Array, start: number, end: number): void => {
    reserve(end - start)
    out.set(bytes.subarray(start, end), length)
    length += end - start
  }
  /** Without a check for room. */
  const addEscaped = (byte: number): void => {
    const sequence = escapes[byte] as Uint8Array
    for (let index = 0; index < sequence.length; index++) out[length++] = sequence[index] as number
  }
  return {
    length: () => length,
    byte: (byte) => {
      reserve(1)
      out[length++] = byte
    },
    bytes: (bytes, start, end) => {
      if (end - start >= minBlock) {
        copy(bytes, start, end)
        return
      }
      reserve(end - start)
      for (let index = start; index < end; index++) out[length++] = bytes[index] as number
    },
    text,
    integer: (value) => {
      if (value < 0 || value > maxWritten) {
        text(String(value))
        return
      }
      reserve(mostDigits)
      let count = 1
      for (let bound = 10; value >= bound; bound *= 10) count += 1
      let rest = value
      for (let index = length + count - 1; index >= length; index--) {
        const next = (rest / 10) | 0
        out[index] = zero + rest - next * 10
        rest = next
      }
      length += count
    },
    digits: (value, count) => {
      reserve(count)
      let rest = value
      for (let index = length + count - 1; index >= length; index--) {
        const next = (rest / 10) | 0
        out[index] = zero + rest - next * 10
        rest = next
      }
      length += count
    },
    quoted: (bytes, start, end) => {
      reserve(1)
      out[length++] = quote
      for (let piece = start; piece < end; piece += pieceLength) {
        const stop = Math.min(end, piece + pieceLength)
        reserve((stop - piece) * longestEscape)
        for (let index = piece; index < stop; index++) {
          const byte = bytes[index] as number
          if (byte >= 0x20 && byte !== quote && byte !== backslash) out[length++] = byte
          else addEscaped(byte)
        }
      }
      reserve(1)
      out[length++] = quote
    },
    finish: () => finished(out.subarray(0, length)),
  }
}

/** Bytes without a character set may be no UTF-8: they become U+FFFD, as in any decoded text. */
function finished(json: Buffer): string | Uint8Array {
  if (json.length <= maxText) return json.toString(isAscii(json) ? 'latin1' : 'utf8')
  return isUtf8(json) ? json : Buffer.from(json.toString('utf8'))
}

const zero = 0x30
const quote = 0x22
const backslash = 0x5c

/** Larger integers are not written digit by digit: `| 0` has 32 bits. */
const maxWritten = 0x7fff_ffff
const mostDigits = 10

/** `\u0001` */
const longestEscape = 6

/** By byte: JSON escapes of those below the space, the quote and the backslash. */
const escapes: readonly Uint8Array[] = Array.from({ length: 0x5d }, (_, byte) =>
  Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
)
