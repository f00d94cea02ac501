/** @module hstore, of the extension of this name: keys and values are texts. */
import { int4Bytes } from './big-endian.ts'
import { decodeUtf8 } from './text-form.ts'
import type { ValueForm } from './value-form.ts'

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`
const pair = new RegExp(`${quoted}=>(?:NULL|${quoted})(?:, |$)`, 'sy')

/** In binary the number of pairs, then for each the length of the key, the key, the length of the value (-1 is NULL), the value. */
export const hstoreForm: ValueForm = hstoreIn((text) => Buffer.from(text), decodeUtf8)

function hstoreIn(encode: Encode, decode: Decode): ValueForm {
  return {
    toBinary: (text) => bytesOf(text, encode),
    fromBinary: (bytes) => textOf(bytes, decode),
    inEncoding: (encoding) => hstoreIn(encoding.encode, encoding.decode),
  }
}

type Encode = (text: string) => Uint8Array
type Decode = (bytes: Uint8Array) => string

/** `"a"=>"1", "b"=>NULL` */
function bytesOf(text: string, encode: Encode): Buffer | undefined {
  const parts: Buffer[] = []
  let count = 0
  let end = 0
  while (end < text.length) {
    pair.lastIndex = end
    const match = pair.exec(text)
    if (match === null) return undefined
    end = pair.lastIndex
    count += 1
    parts.push(sized(match[1] ?? '', encode))
    parts.push(match[2] === undefined ? int4Bytes(-1) : sized(match[2], encode))
  }
  return Buffer.concat([int4Bytes(count), ...parts])
}

function sized(escaped: string, encode: Encode): Buffer {
  const bytes = encode(escaped.replaceAll(/\\(.)/gs, '$1'))
  return Buffer.concat([int4Bytes(bytes.length), bytes])
}

function textOf(bytes: Buffer, decode: Decode): string | undefined {
  let position = 0
  /** Undefined where bytes are missing. */
  const next = (): string | null | undefined => {
    if (position + 4 > bytes.length) return undefined
    const length = bytes.readInt32BE(position)
    const start = position + 4
    position = start + Math.max(length, 0)
    if (length < -1 || position > bytes.length) return undefined
    return length === -1 ? null : decode(bytes.subarray(start, position))
  }
  if (bytes.length < 4) return undefined
  const count = bytes.readInt32BE(0)
  position = 4
  const pairs: string[] = []
  for (let i = 0; i < count; i += 1) {
    const key = next()
    const value = next()
    if (typeof key !== 'string' || value === undefined) return undefined
    pairs.push(`${quote(key)}=>${value === null ? 'NULL' : quote(value)}`)
  }
  return count >= 0 && position === bytes.length ? pairs.join(', ') : undefined
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
