import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import type { LiveSession } from '../sessions/session-store.ts'
import { unauthorized } from '../unauthorized.ts'

/** Returns the session of a token. @throws {GatewayError} `unauthorized` (401), also for a token without a session. */
export async function ownSession(
  token: string | undefined,
  client: ClientInfo,
  { callers }: AuthContext,
): Promise<LiveSession> {
  const identified = await callers.identify(token, client)
  if (identified.kind !== 'session') throw unauthorized('The token is of no session.')
  if (!(await callers.isUser(identified))) throw unauthorized('The user of the session is gone.')
  return identified.session
}
