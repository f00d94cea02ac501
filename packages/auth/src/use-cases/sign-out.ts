import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import { unauthorized } from '../unauthorized.ts'

/** `POST /auth/sign-out`. Every token of the session is invalid from now on, on every node. */
export async function signOut(
  token: string | undefined,
  client: ClientInfo,
  { callers, sessions, record }: AuthContext,
): Promise<void> {
  const identified = await callers.identify(token, client)
  if (identified.kind === 'token') {
    await callers.deny(token ?? '', identified.expiresAtMs)
    const { account } = identified
    await record(client, 'sign-out', account === undefined ? {} : { account })
    return
  }
  const { sid, account } = identified.session
  // Of several concurrent calls one signs out.
  if (!(await sessions.end(sid))) throw unauthorized('The session has ended.')
  await record(client, 'sign-out', { account, sessionId: sid })
}
