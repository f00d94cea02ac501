/** @module Codecs of Drizzle 1.0 for bytes, which an engine sends as `\x` and hexadecimal digits. */

/** How Drizzle reads the values of a type; `dimensions` is 1 for `bytea[]`. */
interface ByteCodec {
  readonly normalize: (value: string) => Uint8Array
  readonly normalizeArray: (value: readonly unknown[], dimensions: number) => unknown[]
  /** In relations, where Drizzle's statement has them in base64. */
  readonly normalizeInJson: (value: string) => Uint8Array
  readonly normalizeArrayInJson: (value: readonly unknown[], dimensions: number) => unknown[]
}

/**
 * The codecs of `drizzle-orm/node-postgres/codecs`, made to read what an engine sends: columns of type `bytea` are a `Buffer`, in
 * browsers a `Uint8Array`.
 *
 * @example
 * const db = drizzle(callback, { relations, codecs: engineCodecs(nodePgCodecs) })
 */
export function engineCodecs<Codecs extends object>(codecs: Codecs): Codecs {
  const { bytea } = codecs as { readonly bytea?: object }
  return { ...codecs, bytea: { ...bytea, ...byteCodec } }
}

const byteCodec: ByteCodec = {
  normalize: bytesOfHex,
  normalizeArray: (value) => eachItem(value, bytesOfHex),
  normalizeInJson: bytesOfBase64,
  normalizeArrayInJson: (value) => eachItem(value, bytesOfBase64),
}

function eachItem(items: readonly unknown[], read: (text: string) => Uint8Array): unknown[] {
  return items.map((item) => {
    if (Array.isArray(item)) return eachItem(item, read)
    return typeof item === 'string' ? read(item) : item
  })
}

/** `\xdead` */
function bytesOfHex(text: string): Uint8Array {
  const digits = text.slice(2).match(/../g) ?? []
  return bytes(Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)))
}

/** PostgreSQL breaks its lines after 76 characters; `atob` ignores that. */
function bytesOfBase64(text: string): Uint8Array {
  return bytes(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}

/** What node-postgres gives, where there is one. */
function bytes(content: Uint8Array<ArrayBuffer>): Uint8Array {
  const { Buffer } = globalThis as { readonly Buffer?: BufferConstructor }
  return Buffer === undefined ? content : Buffer.from(content.buffer)
}

interface BufferConstructor {
  from(content: ArrayBuffer): Uint8Array
}
