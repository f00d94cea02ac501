import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import { endSessions } from '../sessions/session-store.ts'
import { ownSession } from './own-session.ts'

/** `DELETE /auth/sessions/{id}`, of the caller's own sessions; `others` are all except the current one. */
export async function endSession(
  token: string | undefined,
  id: string,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { database, record } = context
  const { sid, account } = await ownSession(token, client, context)
  if (id === 'others') {
    const count = await endSessions(database, { userId: account.id, except: sid })
    return record(client, 'session-revoked', { account, count })
  }
  const { numDeletedRows } = await database
    .deleteFrom('engine_sessions')
    // Not every database accepts any text in a comparison.
    .where('sid', '=', /^[\w-]{1,128}$/.test(id) ? id : '')
    .where('user_id', '=', account.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new GatewayError('notFound', 'There is no such session.')
  await record(client, 'session-revoked', { account, sessionId: id })
}
