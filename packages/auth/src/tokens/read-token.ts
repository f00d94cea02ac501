import { unauthorized } from '../unauthorized.ts'
import { maxKeyIdLength } from './token-key.ts'

/** A compact JWS whose form is right. Nothing in it is true before its signature is verified. */
export interface UnverifiedToken {
  readonly text: string
  readonly algorithm: string
  readonly keyId: string | undefined
  /** In lower case, without `application/`; `jwt` where the header has none. */
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  /** Header and payload as they were signed. */
  readonly signedText: string
}

/** Longest token, in characters; longer ones are not looked at. */
export const maxTokenLength = 8_192

const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Takes a token apart. Keys that a header brings along (`jwk`, `jku`, `x5c`, `x5u`) are not looked at.
 *
 * @throws {GatewayError} `unauthorized` for what is no signed token of ours to judge: too long, encrypted, not canonical
 * base64url, no JSON objects, with `crit`, or with a `kid` that is no short text.
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

/** One text for one value: no padding, no bits left over. */
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
