import type { Session, SessionResponse } from '@engine/contract'
import type { ClientInfo } from '@engine/core/server'
import { type Credentials, isoTime, userOf } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { beginSession } from '../sessions/session-store.ts'
import type { AuthTables } from '../store/auth-tables.ts'

/** Creates a session for an account whose password was just checked, and its first token. */
export async function openSession(
  { account, epoch }: Credentials,
  client: ClientInfo,
  { settings, store, tokens, clock }: AuthContext,
): Promise<{ readonly answer: SessionResponse; readonly sessionId: string }> {
  const nowMs = clock()
  const { sid, createdAtMs, expiresAtMs } = await store.transaction<
    AuthTables,
    Awaited<ReturnType<typeof beginSession>>
  >((transaction) =>
    beginSession(transaction, { userId: account.id, epoch, nowMs }, client, settings.session),
  )
  const token = await tokens.issue({
    userId: account.id,
    sessionId: sid,
    authTimeMs: createdAtMs,
    expiresAtMs,
    ...rolesInToken(account.roles, settings),
  })
  return {
    answer: { user: userOf(account), session: sessionOf(token, expiresAtMs) },
    sessionId: sid,
  }
}

/** Roles for downstream services, where the configuration adds them to tokens. */
export function rolesInToken(
  roles: readonly string[] | undefined,
  settings: AuthContext['settings'],
): { readonly roles?: readonly string[] } {
  return settings.roles.inToken ? { roles: roles ?? settings.roles.default } : {}
}

export function sessionOf(token: string, expiresAtMs: number): Session {
  return { token, expiresAt: isoTime(expiresAtMs) }
}
