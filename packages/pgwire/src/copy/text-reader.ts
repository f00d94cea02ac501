/** @module Bytes of a client in pieces → text. */
import { GatewayError } from '@engine/core'
import type { ClientEncoding } from '../encodings/client-encoding.ts'

export interface EncodingProblem {
  /** In bytes. */
  readonly offset: number
  /** PostgreSQL's message (22021). */
  readonly message: string
}

/** The first invalid sequence; undefined when all are valid. */
export function findInvalidEncoding(bytes: Uint8Array): EncodingProblem | undefined {
  let offset = 0
  while (offset < bytes.length) {
    const size = sequenceLength(bytes, offset)
    if (size === 0) return { offset, message: problemAt(bytes, offset) }
    offset += size
  }
  return undefined
}

function problemAt(bytes: Uint8Array, offset: number): string {
  const length = expectedLength(bytes[offset] ?? 0)
  const shown = [...bytes.subarray(offset, offset + length)].map(
    (byte) => `0x${byte.toString(16).padStart(2, '0')}`,
  )
  return `invalid byte sequence for encoding "UTF8": ${shown.join(' ')}`
}

/** The length in bytes that the first byte announces. */
function expectedLength(first: number): number {
  if (first < 0x80) return 1
  if ((first & 0xe0) === 0xc0) return 2
  if ((first & 0xf0) === 0xe0) return 3
  return (first & 0xf8) === 0xf0 ? 4 : 1
}

/** 0 for a sequence that is not valid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first === 0) return 0
  if (first < 0x80) return 1
  const length = expectedLength(first)
  if (length === 1 || at + length > bytes.length || first < 0xc2 || first > 0xf4) return 0
  const second = bytes[at + 1] ?? 0
  const [low, high] = secondByteRange(first)
  if (second < low || second > high) return 0
  for (let index = 2; index < length; index += 1) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}

/** Rejects overlong forms, halves of surrogate pairs, and code points above U+10FFFF. */
function secondByteRange(first: number): readonly [number, number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf]
    case 0xed:
      return [0x80, 0x9f]
    case 0xf0:
      return [0x90, 0xbf]
    case 0xf4:
      return [0x80, 0x8f]
    default:
      return [0x80, 0xbf]
  }
}

export interface TextProblem {
  readonly sqlState: '22021' | '22P05'
  /** PostgreSQL's. */
  readonly message: string
}

/** The valid text of a piece, and the error that follows it. */
export interface TextPiece {
  readonly text: string
  readonly problem: TextProblem | undefined
}

/** Reads text from pieces that may end inside a character. Nothing is read after an error. */
export interface TextReader {
  push(bytes: Uint8Array): TextPiece
  end(): TextPiece
}

export function createUtf8Reader(): TextReader {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** The beginning of a character whose other bytes have not arrived. */
  let tail: Uint8Array = none

  const decode = (bytes: Uint8Array, isLast: boolean): TextPiece => {
    const whole = tail.length === 0 ? bytes : Uint8Array.from([...tail, ...bytes])
    tail = isLast ? none : unfinished(whole)
    const judged = whole.subarray(0, whole.length - tail.length)
    try {
      const text = decoder.decode(judged)
      if (!text.includes('\0')) return { text, problem: undefined }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    const { offset, message } = findInvalidEncoding(judged) ?? { offset: 0, message: '' }
    return {
      text: decoder.decode(judged.subarray(0, offset)),
      problem: { sqlState: '22021', message },
    }
  }
  return { push: (bytes) => decode(bytes, false), end: () => decode(none, true) }
}

const none = new Uint8Array(0)

/** The last bytes, where they begin a character and do not complete it. */
function unfinished(bytes: Uint8Array): Uint8Array {
  for (let at = Math.max(0, bytes.length - 3); at < bytes.length; at += 1) {
    if (expectedLength(bytes[at] ?? 0) > bytes.length - at) return bytes.slice(at)
  }
  return none
}

/** For an encoding in which each character is one byte. */
export function encodedReader(encoding: ClientEncoding): TextReader {
  const decode = (bytes: Uint8Array): TextPiece => {
    try {
      return { text: encoding.decode(bytes), problem: undefined }
    } catch (error) {
      if (!(error instanceof GatewayError) || bytes.length === 0) throw error
      if (bytes.length === 1) return { text: '', problem: problemOf(error) }
    }
    const half = bytes.length >>> 1
    const first = decode(bytes.subarray(0, half))
    if (first.problem !== undefined) return first
    const second = decode(bytes.subarray(half))
    return { text: first.text + second.text, problem: second.problem }
  }
  return { push: decode, end: () => ({ text: '', problem: undefined }) }
}

function problemOf({ message, sqlState }: GatewayError): TextProblem {
  return { sqlState: sqlState === '22P05' ? '22P05' : '22021', message }
}
