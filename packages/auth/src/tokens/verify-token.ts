import { hash, type KeyObject } from 'node:crypto'
import type { IssuerSettings, JwtSettings } from '@engine/core/server'
import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { LRUCache } from 'lru-cache'
import { unauthorized } from '../unauthorized.ts'
import { type ClaimRules, type Claims, checkClaims } from './check-claims.ts'
import type { KeySource } from './key-source.ts'
import { readToken, type UnverifiedToken } from './read-token.ts'

/** A token with a valid signature and valid claims. Whether it was withdrawn is checked elsewhere. */
export interface VerifiedToken {
  /** The issuer that signed it; undefined for our own tokens and those of a service with our secret. */
  readonly issuer: IssuerSettings | undefined
  /** The text of `sub`, also where that is a number; undefined: another claim identifies the owner. */
  readonly subject: string | undefined
  /** Session of this service; undefined: the token was created elsewhere. */
  readonly sessionId: string | undefined
  /** `sub` is the text of `subject`. */
  readonly claims: Claims
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number
  /** SHA-256 of header and payload, base64url: identifies the token, for any spelling of its signature. */
  readonly fingerprint: string
}

/** @throws {GatewayError} `unauthorized` (401); `unavailable` (503) when the keys of its issuer cannot be fetched. */
export type VerifyToken = (token: string) => VerifiedToken | Promise<VerifiedToken>

export interface VerifierOptions {
  /** Our own keys; undefined without accounts. */
  readonly ownKeys: OwnKeySource | undefined
  readonly issuers: readonly TrustedIssuer[]
  readonly jwt: JwtSettings
  /** The claim that the user table is matched with; undefined: there is no such table, `sub` identifies the owner. */
  readonly matchedClaim: string | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface OwnKeySource extends KeySource {
  /** Returns whether the key belongs to this service. */
  has(keyId: string): boolean
  /** Only this service creates tokens with this algorithm, so they always have a session. */
  readonly isOursAlone: boolean
}

export interface TrustedIssuer {
  readonly settings: IssuerSettings
  readonly keys: KeySource
}

/** Milliseconds for which a verified token is not verified again. */
const rememberedMs = 30_000

/** Maximum number of cached tokens, and of their characters. */
const remembered = { max: 5_000, maxSize: 8_000_000 }

/**
 * Maximum clock difference between our own nodes: a token that one node just created is valid on the others. Only for
 * tokens of sessions, whose row has their start.
 */
const nodeSkewMs = 5_000

interface Remembered {
  readonly token: VerifiedToken
  readonly untilMs: number
}

/**
 * Verifies signature and claims: RFC 8725. A verified token is cached for at most half a minute, never past its expiry; by
 * digest, so that the token itself is not stored.
 */
export function createTokenVerifier(options: VerifierOptions): VerifyToken {
  const { clock, jwt } = options
  const issuers = new Map(options.issuers.map((issuer) => [issuer.settings.issuer, issuer]))
  const known = new LRUCache<string, Remembered>(remembered)

  const verify = async (text: string, digest: string): Promise<VerifiedToken> => {
    const unverified = readToken(text)
    const issuer = issuerOf(unverified)
    await verifySignature(unverified, keysOf(issuer, unverified))
    const token = acceptClaims(unverified, issuer?.settings, options)
    const untilMs = Math.min(
      clock() + rememberedMs,
      token.expiresAtMs + jwt.clockSkewSeconds * 1_000,
    )
    known.set(digest, { token, untilMs }, { size: text.length })
    return token
  }

  /** A configured issuer with our own issuer name does not shadow our tokens. */
  const issuerOf = ({ claims, keyId }: UnverifiedToken): TrustedIssuer | undefined => {
    const { iss } = claims
    const isOurs = keyId !== undefined && options.ownKeys?.has(keyId)
    return typeof iss === 'string' && !isOurs ? issuers.get(iss) : undefined
  }

  const keysOf = (issuer: TrustedIssuer | undefined, { type, claims }: UnverifiedToken) => {
    const types = issuer?.settings.tokenTypes ?? ['jwt']
    if (!types.includes(type)) {
      throw unauthorized(`The bearer token is of the type ${JSON.stringify(type)}.`)
    }
    const keys = issuer?.keys ?? options.ownKeys
    if (keys === undefined) {
      throw unauthorized(`Nobody is known as the issuer ${JSON.stringify(claims['iss'])}.`)
    }
    return keys
  }

  return (text) => {
    const digest = hash('sha256', text, 'base64')
    const found = known.get(digest)
    if (found !== undefined && clock() < found.untilMs) return found.token
    return verify(text, digest)
  }
}

async function verifySignature(token: UnverifiedToken, keys: KeySource): Promise<void> {
  const candidates = await keys.find(token.keyId, token.algorithm)
  if (candidates.length === 0) throw unauthorized('No known key can have signed the bearer token.')
  for (const { key, algorithm } of candidates) {
    if (await isSignedBy(key, token.text, algorithm)) return
  }
  throw unauthorized('The signature of the bearer token is wrong.')
}

async function isSignedBy(key: KeyObject, token: string, algorithm: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof JOSEError) return false
    throw error
  }
}

function acceptClaims(
  { claims, signedText, algorithm }: UnverifiedToken,
  issuer: IssuerSettings | undefined,
  { jwt, matchedClaim, clock, ownKeys }: VerifierOptions,
): VerifiedToken {
  const sessionId = issuer === undefined ? sessionOf(claims) : undefined
  if (issuer === undefined && sessionId === undefined && ownKeys?.isOursAlone === true) {
    throw unauthorized(`A token with ${algorithm} of ours has a session.`)
  }
  const skewMs = jwt.clockSkewSeconds * 1_000
  const isMatched = sessionId === undefined && matchedClaim !== undefined
  const shared = jwt.audience === undefined ? [] : [jwt.audience]
  const rules: ClaimRules = {
    issuer: issuer === undefined ? jwt.issuer : issuer.issuer,
    audiences: issuer !== undefined && issuer.audiences.length > 0 ? issuer.audiences : shared,
    clockSkewMs: skewMs,
    issueSkewMs: sessionId === undefined ? skewMs : Math.max(skewMs, nodeSkewMs),
    mayLackSubject: isMatched && matchedClaim !== 'sub',
    maySubjectBeNumber: isMatched,
  }
  const { subject, expiresAtMs } = checkClaims(claims, rules, clock())
  return {
    issuer,
    subject,
    sessionId,
    claims: subject === undefined ? claims : { ...claims, sub: subject },
    expiresAtMs,
    fingerprint: fingerprintOf(signedText),
  }
}

/** The same as `VerifiedToken.fingerprint`, for a token that was verified before. */
export function fingerprintOf(signedText: string): string {
  return hash('sha256', signedText, 'base64url')
}

function sessionOf(claims: Claims): string | undefined {
  if (!Object.hasOwn(claims, 'sid')) return undefined
  const { sid } = claims
  if (typeof sid !== 'string' || !/^[\w-]{1,128}$/.test(sid)) {
    throw unauthorized('The bearer token names no session.')
  }
  return sid
}
