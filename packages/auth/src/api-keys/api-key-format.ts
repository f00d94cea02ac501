import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `ek_<id>_<secret><checksum>`: 12, 43 and 6 characters of base 62. */
export interface ApiKeyText {
  readonly id: string
  readonly text: string
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const idLength = 12

/** Maximum digits of 32 bytes. */
const secretLength = 43

/** Maximum digits of 32 bits. */
const checksumLength = 6

const form = /^ek_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** The prefix of keys; no token has it. */
export const apiKeyPrefix = 'ek_'

/** A new key; its secret is 256 random bits. */
export function createApiKeyText(): ApiKeyText {
  const id = base62(randomBytes(8), idLength)
  const body = `ek_${id}_${base62(randomBytes(32), secretLength)}`
  return { id, text: body + checksum(body) }
}

/**
 * Recognises a key by its form and checksum, without a look-up: a typing error causes no query, and scanners for leaked
 * secrets find no false positives.
 */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, id, sum] = form.exec(text) ?? []
  if (id === undefined || sum !== checksum(text.slice(0, -checksumLength))) return undefined
  return { id, text }
}

/** The stored form of a key: SHA-256, base64url. Enough for 256 random bits. */
export function apiKeyDigest({ text }: ApiKeyText): string {
  return hash('sha256', text, 'base64url')
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, checksumLength)
}

/** @param length in digits, padded with zeros at the front; of a longer number the last ones. */
function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i += 1) {
    text = (digits[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}
