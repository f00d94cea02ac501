import { unauthorized } from '../unauthorized.ts'
import { identifierOf } from './identifier.ts'

/** Further requirements for the claims of a verified token. */
export interface ClaimRules {
  /** undefined: the issuer is not checked. */
  readonly issuer: string | undefined
  /** The audience must be one of them; empty: it is not checked. */
  readonly audiences: readonly string[]
  /** Tolerance for expiry and start. */
  readonly clockSkewMs: number
  /** Tolerance for the date of issue. */
  readonly issueSkewMs: number
  /** A token may have no `sub`, since another claim identifies the user. */
  readonly mayLackSubject: boolean
  /** A `sub` may be a whole number: many issuers use numbers, against RFC 7519. */
  readonly maySubjectBeNumber: boolean
}

export type Claims = Readonly<Record<string, unknown>>

export interface CheckedClaims {
  /** The text of `sub`, whether that is a text or a number; undefined only where it may be missing, and is. */
  readonly subject: string | undefined
  /** Milliseconds since 1970 at which the token ends, without tolerance. */
  readonly expiresAtMs: number
}

/** Seconds since 1970 that a date can represent. */
const lastSecond = 8.64e12

/**
 * RFC 7519, 4.1: expiry, start, date of issue, issuer, audience, subject.
 *
 * @throws {GatewayError} `unauthorized`.
 */
export function checkClaims(claims: Claims, rules: ClaimRules, nowMs: number): CheckedClaims {
  const { clockSkewMs } = rules
  const expiresAtMs = dateClaim(claims, 'exp')
  if (expiresAtMs === undefined) throw unauthorized('The bearer token has no expiry.')
  if (nowMs >= expiresAtMs + clockSkewMs) throw unauthorized('The bearer token is expired.')
  const notBeforeMs = dateClaim(claims, 'nbf') ?? nowMs
  if (notBeforeMs > nowMs + clockSkewMs) throw unauthorized('The bearer token is not valid yet.')
  const issuedAtMs = dateClaim(claims, 'iat') ?? nowMs
  if (issuedAtMs > nowMs + rules.issueSkewMs) {
    throw unauthorized('The bearer token was issued in the future.')
  }
  checkParties(claims, rules)
  return { subject: subjectOf(claims, rules), expiresAtMs }
}

function checkParties(claims: Claims, rules: ClaimRules): void {
  const { issuer, audiences } = rules
  if (issuer !== undefined && claims['iss'] !== issuer) {
    throw unauthorized('The bearer token is of another issuer.')
  }
  const named = [claims['aud']].flat()
  if (audiences.length > 0 && !audiences.some((audience) => named.includes(audience))) {
    throw unauthorized('The bearer token is for another audience.')
  }
}

function subjectOf(
  { sub }: Claims,
  { mayLackSubject, maySubjectBeNumber }: ClaimRules,
): string | undefined {
  if (sub === undefined && mayLackSubject) return undefined
  const subject = typeof sub === 'string' || maySubjectBeNumber ? identifierOf(sub) : undefined
  if (subject === undefined) throw unauthorized('The bearer token names no subject.')
  return subject
}

/** NumericDate in milliseconds; texts are not dates. */
function dateClaim(claims: Claims, name: string): number | undefined {
  const value = claims[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !(Math.abs(value) <= lastSecond)) {
    throw unauthorized(`The "${name}" of the bearer token is no date.`)
  }
  return value * 1_000
}
