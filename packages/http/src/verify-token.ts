import { createSecretKey, hash } from 'node:crypto'
import type { Caller, JwtSettings, Settings } from '@engine/core'
import { type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { unauthorized } from './unauthorized.ts'

type AuthSettings = NonNullable<Settings['auth']>

/** A verified token is not verified again for so many milliseconds. */
const rememberedMs = 60_000

/** Tokens remembered at most. */
const remembered = 5_000

/**
 * Verifies HS256 tokens signed with the shared secret: signature, expiry, not-before, issuer, audience and subject.
 * Tokens that verified are remembered for a minute at most, never past their expiry; by digest, so that the token
 * itself is not kept.
 */
export function createTokenVerifier(
  auth: AuthSettings,
  jwt: JwtSettings,
): (token: string) => Caller | Promise<Caller> {
  const key = createSecretKey(auth.secrets[0] ?? '', 'utf8')
  const known = new LRUCache<string, Caller>({ max: remembered })
  const options = {
    algorithms: ['HS256'],
    requiredClaims: ['exp', 'sub'],
    clockTolerance: jwt.clockSkewSeconds,
    ...(jwt.issuer === undefined ? {} : { issuer: jwt.issuer }),
    ...(jwt.audience === undefined ? {} : { audience: jwt.audience }),
  }
  const verify = async (token: string, digest: string): Promise<Caller> => {
    const { payload } = await jwtVerify(token, key, options).catch((error: unknown) => {
      throw unauthorized('The bearer token is invalid or expired.', error)
    })
    const nowMs = Date.now()
    if ((payload.iat ?? 0) * 1_000 > nowMs + jwt.clockSkewSeconds * 1_000) {
      throw unauthorized('The bearer token was issued in the future.')
    }
    const caller = callerOf(payload, auth)
    const lifeMs = (payload.exp ?? 0) * 1_000 - nowMs
    if (lifeMs > 0) known.set(digest, caller, { ttl: Math.min(lifeMs, rememberedMs) })
    return caller
  }
  return (token) => {
    const digest = hash('sha256', token, 'base64')
    return known.get(digest) ?? verify(token, digest)
  }
}

/** Roles are exact texts: `roles` (a list) united with `role` (a text); the default only where the token has neither. */
function callerOf(claims: JWTPayload, auth: AuthSettings): Caller {
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '')
    throw unauthorized('The bearer token names no subject.')
  const listed = ownPath(claims, auth.roles.claim)
  const single = ownPath(claims, ['role'])
  const named = [...(Array.isArray(listed) ? listed : [listed]), single].filter(
    (role): role is string => typeof role === 'string',
  )
  const isSilent = listed === undefined && single === undefined
  const roles = isSilent ? auth.roles.default : [...new Set(named)]
  return { kind: 'user', id: sub, roles, fields: { ...claims, id: sub } }
}

function ownPath(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) {
      return undefined
    }
    current = (current as Readonly<Record<string, unknown>>)[part]
  }
  return current
}
