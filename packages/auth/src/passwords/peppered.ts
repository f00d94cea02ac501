/** @module Hashes with a pepper: a key that is not stored in the database. */
import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto'

/** Marks the tag of a PHC string as HMAC-SHA-256 of Argon2's tag, and identifies the key. */
const form = /^\$pepper\$k=([0-9a-f]{8})(\$argon2id\$.+\$)([A-Za-z0-9+/]{43})$/

/** First 8 hexadecimal digits of the SHA-256 of the pepper. */
export function pepperId(pepper: string): string {
  return digest('sha256', pepper).slice(0, 8)
}

/** @param phc a PHC string with a plain tag. */
export function addPepper(phc: string, pepper: string): string {
  const end = phc.lastIndexOf('$') + 1
  const tag = Buffer.from(phc.slice(end), 'base64')
  const keyed = keyedTag(tag, pepper).toString('base64').replaceAll('=', '')
  return `$pepper$k=${pepperId(pepper)}${phc.slice(0, end)}${keyed}`
}

export interface PepperedHash {
  readonly pepperId: string
  /** A PHC string with the keyed tag in place of Argon2's. */
  readonly phc: string
}

/** @returns undefined when the text is not such a hash. */
export function parsePeppered(hash: string): PepperedHash | undefined {
  const [, id, parameters, tag] = form.exec(hash) ?? []
  if (id === undefined || parameters === undefined || tag === undefined) return undefined
  return { pepperId: id, phc: `${parameters}${tag}` }
}

/** Compares Argon2's tag of a password with the stored keyed one. */
export function matchesPeppered({ phc }: PepperedHash, tag: Uint8Array, pepper: string): boolean {
  const stored = Buffer.from(phc.slice(phc.lastIndexOf('$') + 1), 'base64')
  const keyed = keyedTag(tag, pepper)
  return stored.length === keyed.length && timingSafeEqual(stored, keyed)
}

/** The salt of a PHC string. */
export function saltOf(phc: string): Uint8Array {
  return Buffer.from(phc.split('$').at(-2) ?? '', 'base64')
}

function keyedTag(tag: Uint8Array, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(tag).digest()
}
