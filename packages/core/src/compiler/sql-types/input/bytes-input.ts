/** @module bytea. */
import { accept, fail, failSyntax, type InputResult } from './input-value.ts'

/** `\xdeadbeef` with blanks between the bytes, or PostgreSQL's older escapes: `a\\b\000`. */
export function readBytes(text: string): InputResult {
  if (text.startsWith('\\x')) {
    const decoded = fromHex(text.slice(2))
    return decoded === undefined ? fail('22023', 'invalid hexadecimal data') : accept(decoded)
  }
  const bytes = fromEscapes(text)
  return bytes === undefined ? failSyntax('bytea', text) : accept(bytes)
}

/** `{"type":"Buffer","data":[222,173]}`, the JSON of a Node Buffer. */
export function readBufferObject(value: object): InputResult {
  const { type, data } = value as { readonly type?: unknown; readonly data?: unknown }
  const isBytes = (items: readonly unknown[]): items is readonly number[] =>
    items.every((item) => Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255)
  if (type !== 'Buffer' || !Array.isArray(data) || !isBytes(data)) {
    return failSyntax('bytea', 'an object')
  }
  return accept(Uint8Array.from(data))
}

/** Bytes in PostgreSQL's hexadecimal format: `\x00ff`. */
export function bytesText(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
  return `\\x${digits.join('')}`
}

/** Blanks are between the bytes, not between the digits of one. */
function fromHex(text: string): Uint8Array | undefined {
  const digits = /[ \n\t\r]/.test(text) ? bytesOfWords(text.split(/[ \n\t\r]+/)) : text
  if (digits === undefined || digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) {
    return undefined
  }
  const bytes = new Uint8Array(digits.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16)
  }
  return bytes
}

function bytesOfWords(words: readonly string[]): string | undefined {
  return words.every((word) => word.length % 2 === 0) ? words.join('') : undefined
}

function fromEscapes(text: string): Uint8Array | undefined {
  const bytes: number[] = []
  const encoded = new TextEncoder().encode(text)
  for (let i = 0; i < encoded.length; i++) {
    const byte = encoded[i] ?? 0
    if (byte !== backslash) {
      bytes.push(byte)
    } else if (encoded[i + 1] === backslash) {
      bytes.push(backslash)
      i += 1
    } else {
      const octal = /^[0-3][0-7]{2}$/.exec(String.fromCharCode(...encoded.slice(i + 1, i + 4)))
      if (octal === null) return undefined
      bytes.push(Number.parseInt(octal[0], 8))
      i += 3
    }
  }
  return Uint8Array.from(bytes)
}

const backslash = 0x5c
