import { unauthorized } from '../unauthorized.ts'
import { maxKeyIdLength } from './token-key.ts'

/** A compact JWS with a valid form. Its content is not trusted before its signature is verified. */
export interface UnverifiedToken {
  readonly text: string
  readonly algorithm: string
  readonly keyId: string | undefined
  /** In lower case, without `application/`; `jwt` where the header has none. */
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  /** Header and payload in their signed form. */
  readonly signedText: string
}

/** Maximum characters of a token; longer ones are refused unread. */
export const maxTokenLength = 8_192

const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Splits a token into its parts. Keys in the header (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
 *
 * @throws {GatewayError} `unauthorized` for a text that is not a signed token we can check: too long, encrypted, not
 * canonical base64url, no JSON objects, with `crit`, or with a `kid` that is not a short text.
 */
export function readToken(text: string): UnverifiedToken {
  if (text.length > maxTokenLength) throw unauthorized('The bearer token is too long.')
  const [, head = '', payload = '', signature = ''] = parts.exec(text) ?? []
  if (head === '' || !isCanonical(signature)) throw malformed()
  const header = jsonObject(head)
  const { alg, kid, typ } = header
  if (typeof alg !== 'string') throw malformed()
  if ('crit' in header || 'enc' in header || 'b64' in header) {
    throw unauthorized('The bearer token uses extensions that are not understood.')
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > maxKeyIdLength)) {
    throw unauthorized('The bearer token names its key in an unknown way.')
  }
  if (typ !== undefined && typeof typ !== 'string') throw malformed()
  return {
    text,
    algorithm: alg,
    keyId: kid,
    type: (typ ?? 'jwt').toLowerCase().replace(/^application\//, ''),
    claims: jsonObject(payload),
    signedText: `${head}.${payload}`,
  }
}

/** One text for each value: no padding, no spare bits. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}

function jsonObject(part: string): Readonly<Record<string, unknown>> {
  if (!isCanonical(part)) throw malformed()
  const value = parse(Buffer.from(part, 'base64url'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed()
  return value as Readonly<Record<string, unknown>>
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(cause?: unknown): Error {
  return unauthorized('The bearer token is no signed JWT.', cause)
}
