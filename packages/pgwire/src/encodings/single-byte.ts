/** @module Character sets in which each character is one byte. */
import { GatewayError } from '@engine/core'
import iconv from 'iconv-lite'
import type { ClientEncoding } from './client-encoding.ts'

/** PostgreSQL's name → that of the library. */
const tables: ReadonlyMap<string, string> = new Map([
  ['ISO_8859_5', 'iso-8859-5'],
  ['ISO_8859_6', 'iso-8859-6'],
  ['ISO_8859_7', 'iso-8859-7'],
  ['ISO_8859_8', 'iso-8859-8'],
  ['KOI8R', 'koi8-r'],
  ['KOI8U', 'koi8-u'],
  ['LATIN1', 'iso-8859-1'],
  ['LATIN2', 'iso-8859-2'],
  ['LATIN3', 'iso-8859-3'],
  ['LATIN4', 'iso-8859-4'],
  ['LATIN5', 'iso-8859-9'],
  ['LATIN6', 'iso-8859-10'],
  ['LATIN7', 'iso-8859-13'],
  ['LATIN8', 'iso-8859-14'],
  ['LATIN9', 'iso-8859-15'],
  ['LATIN10', 'iso-8859-16'],
  ['WIN866', 'cp866'],
  ['WIN874', 'windows-874'],
  ...Array.from({ length: 9 }, (_, i) => [`WIN125${i}`, `windows-125${i}`] as const),
])

/** Bytes that the library reads and PostgreSQL does not. */
const unreadByPostgres: Readonly<Record<string, number>> = { WIN1255: 0xca }

const replacement = '\ufffd'
const questionMark = 0x3f

/** Undefined for an encoding that has characters of several bytes. */
export function singleByteEncoding(name: string): ClientEncoding | undefined {
  const table = tables.get(name)
  if (table === undefined) return undefined
  const characters = Array.from({ length: 256 }, (_, byte) => {
    const character = iconv.decode(Buffer.of(byte), table)
    return byte === unreadByPostgres[name] || character === replacement ? undefined : character
  })
  const codes = characters.map((character) => character?.charCodeAt(0))
  const bytesOf = new Map(
    characters.flatMap((character, byte) =>
      character === undefined ? [] : [[character, byte] as const],
    ),
  )
  const encode = (text: string, missing: (character: string) => number): Uint8Array => {
    const bytes = new Uint8Array(text.length)
    let size = 0
    for (const character of text) {
      bytes[size] = bytesOf.get(character) ?? missing(character)
      size += 1
    }
    return bytes.subarray(0, size)
  }
  return {
    name,
    decode: (bytes) => {
      // A string that grows by characters takes thirty times the bytes of the message.
      const text = Buffer.allocUnsafe(bytes.length * 2)
      let size = 0
      for (const byte of bytes) {
        if (byte === 0) throw invalidSequence(name, Uint8Array.of(byte))
        const code = codes[byte] ?? failUntranslatable(name, 'UTF8', Uint8Array.of(byte))
        text[size] = code & 0xff
        text[size + 1] = code >> 8
        size += 2
      }
      return text.toString('utf16le')
    },
    encode: (text) =>
      encode(text, (character) => failUntranslatable('UTF8', name, Buffer.from(character))),
    encodeLossy: (text) => encode(text, () => questionMark),
  }
}

function invalidSequence(encoding: string, bytes: Uint8Array): GatewayError {
  const message = `invalid byte sequence for encoding "${encoding}": ${shown(bytes)}`
  return new GatewayError('invalidParameter', message, { sqlState: '22021' })
}

function failUntranslatable(from: string, to: string, bytes: Uint8Array): never {
  const message = `character with byte sequence ${shown(bytes)} in encoding "${from}" has no equivalent in encoding "${to}"`
  throw new GatewayError('invalidParameter', message, { sqlState: '22P05' })
}

/** `0xe2 0x82 0xac` */
function shown(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(' ')
}
