/** @module Password hashes of other systems: parsed, limited in cost, compared. Never created here. */
import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derivePbkdf2 = promisify(pbkdf2)

/** A hash that can be compared with passwords. Tags are bytes. */
export type ForeignHash =
  | { readonly scheme: 'bcrypt'; readonly text: string }
  | {
      readonly scheme: 'pbkdf2'
      readonly digest: 'sha1' | 'sha256' | 'sha512'
      readonly iterations: number
      readonly salt: Uint8Array
      readonly tag: Uint8Array
    }
  | {
      readonly scheme: 'scrypt'
      readonly cost: number
      readonly blockSize: number
      readonly parallelization: number
      readonly salt: Uint8Array
      readonly tag: Uint8Array
    }

const maxIterations = 10_000_000
const maxScryptBytes = 512 * 1024 * 1024

/**
 * bcrypt (`$2a$`, `$2b$`, `$2y$`, cost 4 to 17), scrypt (`$scrypt$ln=16,r=8,p=1$salt$tag`), PBKDF2 (`$pbkdf2-sha256$i=600000$salt$tag`,
 * also passlib's `$pbkdf2-sha256$600000$salt$tag`) and Django's `pbkdf2_sha256$600000$salt$tag`.
 *
 * @returns undefined when it has another form, or costs more than a server should spend on one sign-in.
 */
export function parseForeignHash(text: string): ForeignHash | undefined {
  if (/^\$2[aby]\$(0[4-9]|1[0-7])\$[./A-Za-z0-9]{53}$/.test(text)) {
    return { scheme: 'bcrypt', text }
  }
  return parseScrypt(text) ?? parsePbkdf2(text) ?? parseDjango(text)
}

function parseScrypt(text: string): ForeignHash | undefined {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([^$]+)\$([^$]+)$/.exec(text)
  if (match === null) return undefined
  const [, ln = '', r = '', p = '', salt = '', tag = ''] = match
  const [cost, blockSize, parallelization] = [2 ** Number(ln), Number(r), Number(p)]
  const saltBytes = fromBase64(salt)
  const tagBytes = fromBase64(tag)
  if (cost < 2 || blockSize < 1 || parallelization < 1 || parallelization > 16) return undefined
  if (128 * cost * blockSize > maxScryptBytes) return undefined
  if (saltBytes === undefined || !isTag(tagBytes)) return undefined
  return { scheme: 'scrypt', cost, blockSize, parallelization, salt: saltBytes, tag: tagBytes }
}

function parsePbkdf2(text: string): ForeignHash | undefined {
  const match = /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,8})\$([^$]+)\$([^$]+)$/.exec(text)
  if (match === null) return undefined
  const [, digest = '', iterations = '', salt = '', tag = ''] = match
  return pbkdf2Hash(digest, Number(iterations), fromBase64(salt), fromBase64(tag))
}

function parseDjango(text: string): ForeignHash | undefined {
  const match = /^pbkdf2_(sha1|sha256)\$(\d{1,8})\$([^$]+)\$([^$]+)$/.exec(text)
  if (match === null) return undefined
  const [, digest = '', iterations = '', salt = '', tag = ''] = match
  return pbkdf2Hash(digest, Number(iterations), Buffer.from(salt), fromBase64(tag))
}

function pbkdf2Hash(
  digest: string,
  iterations: number,
  salt: Uint8Array | undefined,
  tag: Uint8Array | undefined,
): ForeignHash | undefined {
  if (iterations < 1 || iterations > maxIterations || salt === undefined || !isTag(tag)) {
    return undefined
  }
  return { scheme: 'pbkdf2', digest: digest as 'sha1' | 'sha256' | 'sha512', iterations, salt, tag }
}

/** Standard base64, also with `.` for `+` as in passlib, padded or not. */
function fromBase64(text: string): Uint8Array | undefined {
  const standard = text.replaceAll('.', '+').replace(/={1,2}$/, '')
  return /^[A-Za-z0-9+/]+$/.test(standard) && standard.length <= 200
    ? Buffer.from(standard, 'base64')
    : undefined
}

function isTag(tag: Uint8Array | undefined): tag is Uint8Array {
  return tag !== undefined && tag.length >= 16 && tag.length <= 64
}

/** @throws when bcrypt is needed and `@node-rs/bcrypt` is not installed. */
export async function matchesForeign(hash: ForeignHash, password: string): Promise<boolean> {
  switch (hash.scheme) {
    case 'bcrypt': {
      const { verify } = await import('@node-rs/bcrypt')
      return verify(password, hash.text)
    }
    case 'pbkdf2': {
      const { salt, iterations, tag, digest } = hash
      return same(await derivePbkdf2(password, salt, iterations, tag.length, digest), tag)
    }
    case 'scrypt':
      return same(await deriveScrypt(hash, password), hash.tag)
  }
}

function deriveScrypt(
  hash: Extract<ForeignHash, { scheme: 'scrypt' }>,
  password: string,
): Promise<Buffer> {
  const { cost, blockSize, parallelization, salt, tag } = hash
  // Memory for the vector, the blocks and OpenSSL's overhead.
  const maxmem = 128 * blockSize * (cost + parallelization + 2) + 1_024
  return new Promise((resolve, reject) => {
    scrypt(
      password,
      salt,
      tag.length,
      { cost, blockSize, parallelization, maxmem },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    )
  })
}

function same(found: Uint8Array, stored: Uint8Array): boolean {
  return found.length === stored.length && timingSafeEqual(found, stored)
}
