import { randomUUID } from 'node:crypto'
import type { JwtSettings } from '@engine/core/server'
import { SignJWT } from 'jose/jwt/sign'
import type { OwnKeys } from './own-keys.ts'

/** The claims of a session's token. Times are milliseconds since 1970; the token has whole seconds. */
export interface TokenFacts {
  readonly userId: string
  readonly sessionId: string
  /** When the user entered the password. */
  readonly authTimeMs: number
  readonly expiresAtMs: number
  /** For downstream services; this service never reads them. */
  readonly roles?: readonly string[]
}

/** `iss` of our tokens where `jwt.issuer` is not configured. */
export const defaultIssuer = 'engine'

/**
 * Signs a token: its claims identify a session, and contain no personal data (RFC 7519; OpenID Connect for auth_time).
 */
export async function issueToken(
  { userId, sessionId, authTimeMs, expiresAtMs, roles }: TokenFacts,
  keys: OwnKeys,
  { issuer = defaultIssuer, audience }: JwtSettings,
  nowMs: number,
): Promise<string> {
  const { id, algorithm, key } = await keys.signingKey()
  const claims = {
    iss: issuer,
    ...(audience === undefined ? {} : { aud: audience }),
    sub: userId,
    sid: sessionId,
    jti: randomUUID(),
    iat: seconds(nowMs),
    exp: seconds(expiresAtMs),
    auth_time: seconds(authTimeMs),
    ...(roles === undefined ? {} : { roles }),
  }
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: id }).sign(key)
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1_000)
}
