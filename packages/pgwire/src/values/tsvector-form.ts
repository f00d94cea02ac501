/** @module tsvector: words, each with its positions and their weights. */
import { int2Bytes, int4Bytes } from './big-endian.ts'
import { decodeUtf8 } from './text-form.ts'
import type { ValueForm } from './value-form.ts'

/** `'fat':2A,7 'cat'`, as PostgreSQL prints it: quotes and backslashes are doubled. */
const words = /'((?:[^'\\]|''|\\\\)+)'(?::(\d+[A-C]?(?:,\d+[A-C]?)*))?(?: |$)/y

const weights = 'DCBA'
const mostPlace = 0x3fff

export const tsvectorForm: ValueForm = tsvectorIn((text) => Buffer.from(text), decodeUtf8)

function tsvectorIn(encode: Encode, decode: Decode): ValueForm {
  return {
    toBinary: (text) => bytesOf(text, encode),
    fromBinary: (bytes) => textOf(bytes, decode),
    inEncoding: (encoding) => tsvectorIn(encoding.encode, encoding.decode),
  }
}

type Encode = (text: string) => Uint8Array
type Decode = (bytes: Uint8Array) => string

function bytesOf(text: string, encode: Encode): Buffer | undefined {
  const parts: Uint8Array[] = []
  let count = 0
  words.lastIndex = 0
  while (words.lastIndex < text.length) {
    const match = words.exec(text)
    if (match === null) return undefined
    const places = match[2]?.split(',') ?? []
    parts.push(encode(unescaped(match[1] ?? '')), Buffer.of(0), int2Bytes(places.length))
    for (const place of places) {
      const bytes = placeBytes(place)
      if (bytes === undefined) return undefined
      parts.push(bytes)
    }
    count += 1
  }
  return Buffer.concat([int4Bytes(count), ...parts])
}

/** `7B`: two bits of weight, then the position. */
function placeBytes(place: string): Buffer | undefined {
  const number = Number.parseInt(place, 10)
  if (number > mostPlace) return undefined
  const weight = Math.max(0, weights.indexOf(place.at(-1) ?? ''))
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE((weight << 14) | number)
  return bytes
}

function textOf(bytes: Buffer, decode: Decode): string | undefined {
  if (bytes.length < 4) return undefined
  const texts: string[] = []
  let at = 4
  for (let left = bytes.readInt32BE(0); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at)
    if (end < 0 || end + 3 > bytes.length) return undefined
    const word = decode(bytes.subarray(at, end))
    const count = bytes.readUInt16BE(end + 1)
    at = end + 3
    if (at + count * 2 > bytes.length) return undefined
    const places = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(at + i * 2))
    at += count * 2
    const shown = places.map((place) => `${place & mostPlace}${weightOf(place >> 14)}`)
    texts.push(`'${escaped(word)}'${count === 0 ? '' : `:${shown.join(',')}`}`)
  }
  return at === bytes.length ? texts.join(' ') : undefined
}

/** The lowest weight is not printed. */
function weightOf(weight: number): string {
  return weight === 0 ? '' : (weights[weight] ?? '')
}

function escaped(word: string): string {
  return word.replaceAll(/['\\]/g, (character) => character + character)
}

function unescaped(word: string): string {
  return word.replaceAll(/(['\\])\1/g, '$1')
}
