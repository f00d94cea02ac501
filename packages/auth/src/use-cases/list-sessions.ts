import type { SessionDescription } from '@engine/contract'
import type { ClientInfo } from '@engine/core/server'
import { isoTime } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import type { SessionsTable } from '../store/auth-tables.ts'
import { ownSession } from './own-session.ts'

/** `GET /auth/sessions`: those of the caller, latest first. */
export async function listSessions(
  token: string | undefined,
  client: ClientInfo,
  context: AuthContext,
): Promise<readonly SessionDescription[]> {
  const { sid, account } = await ownSession(token, client, context)
  const rows = await context.database
    .selectFrom('engine_sessions')
    .innerJoin('engine_users', (join) =>
      join
        .onRef('engine_users.id', '=', 'engine_sessions.user_id')
        .onRef('engine_users.epoch', '=', 'engine_sessions.epoch'),
    )
    .selectAll('engine_sessions')
    .where('engine_sessions.user_id', '=', account.id)
    .where('engine_sessions.expires_at', '>', context.clock())
    .orderBy('engine_sessions.created_at', 'desc')
    .orderBy('engine_sessions.sid')
    .execute()
  return rows.map((row) => ({ ...describeSession(row), current: row.sid === sid }))
}

/** The data that its owner and administrators see. */
export function describeSession(row: SessionsTable): Omit<SessionDescription, 'current'> {
  return {
    id: row.sid,
    createdAt: isoTime(row.created_at),
    lastSeenAt: isoTime(row.last_seen_at),
    expiresAt: isoTime(row.expires_at),
    ip: row.ip,
    userAgent: row.user_agent,
  }
}
