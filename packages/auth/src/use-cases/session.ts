import type { CurrentSessionResponse, SessionResponse, TokenUser } from '@engine/contract'
import type { ClientInfo } from '@engine/core/server'
import { userOf } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import type { IdentifiedToken } from '../callers/create-callers.ts'
import type { LiveSession } from '../sessions/session-store.ts'
import { wholeSeconds } from '../sessions/session-store.ts'
import type { Claims } from '../tokens/check-claims.ts'
import { unauthorized } from '../unauthorized.ts'
import { rolesInToken, sessionOf } from './open-session.ts'

/**
 * `GET /auth/session`. A token with `refreshWindow` or less left is answered with a new one of the same session; the
 * old one stays valid until its own end. Tokens of other issuers are returned unchanged.
 */
export async function session(
  token: string | undefined,
  client: ClientInfo,
  context: AuthContext,
): Promise<CurrentSessionResponse> {
  const identified = await context.callers.identify(token, client)
  if (!(await context.callers.isUser(identified))) throw unauthorized('The user is gone.')
  const { expiresAtMs } = identified
  if (identified.kind === 'token') {
    return { user: userOfToken(identified), session: sessionOf(token ?? '', expiresAtMs) }
  }
  const { session: live } = identified
  const user = userOf(live.account)
  const laterMs = refreshedUntil(live, expiresAtMs, context)
  if (laterMs === undefined) return { user, session: sessionOf(token ?? '', expiresAtMs) }
  return { user, session: await refresh(live, laterMs, client, context) }
}

/** End of a token that is created now; undefined when the old one is still sufficient. */
function refreshedUntil(
  { absoluteAtMs }: LiveSession,
  expiresAtMs: number,
  { settings, clock }: AuthContext,
): number | undefined {
  const nowMs = clock()
  if (expiresAtMs - nowMs > settings.session.refreshWindowMs) return undefined
  const laterMs = Math.min(wholeSeconds(nowMs + settings.session.expiresInMs), absoluteAtMs)
  // Within one second a new token would end with the old one; at the absolute end no new one is possible.
  return laterMs >= expiresAtMs && expiresAtMs < absoluteAtMs ? laterMs : undefined
}

async function refresh(
  { sid, createdAtMs, account, expiresAtMs }: LiveSession,
  laterMs: number,
  client: ClientInfo,
  { settings, sessions, tokens, record }: AuthContext,
): Promise<SessionResponse['session']> {
  if (!(await sessions.extend(sid, Math.max(laterMs, expiresAtMs)))) {
    throw unauthorized('The session has ended.')
  }
  const token = await tokens.issue({
    userId: account.id,
    sessionId: sid,
    authTimeMs: createdAtMs,
    expiresAtMs: laterMs,
    ...rolesInToken(account.roles, settings),
  })
  await record(client, 'session-refreshed', { account, sessionId: sid })
  return sessionOf(token, laterMs)
}

/** Describes the user of a foreign token without an account, only from the token. */
function userOfToken({ id, claims, account }: IdentifiedToken): TokenUser {
  if (account !== undefined) return userOf(account)
  const emailVerified = claims['email_verified'] === true
  return { id, ...textClaim(claims, 'email'), ...textClaim(claims, 'name'), emailVerified }
}

function textClaim(claims: Claims, name: 'email' | 'name'): Partial<TokenUser> {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
