/** @module Finds the encoding of a value of `client_encoding`. */
import type { ClientEncoding } from './client-encoding.ts'
import { singleByteEncoding } from './single-byte.ts'

const known = new Map<string, ClientEncoding | undefined>()

/**
 * @param name as `encodingName` spells it
 * @returns undefined where text is sent and read as UTF-8: for UTF8, and for SQL_ASCII, in which PostgreSQL converts nothing
 * either
 */
export function encodingOf(name: string): ClientEncoding | undefined {
  if (!known.has(name)) known.set(name, singleByteEncoding(name))
  return known.get(name)
}

/** Text is converted to and from it, or needs no conversion. */
export function isSupportedEncoding(name: string): boolean {
  return name === 'UTF8' || name === 'SQL_ASCII' || encodingOf(name) !== undefined
}
