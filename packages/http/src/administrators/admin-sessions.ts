/** @module Sessions of administrators who signed in with the master key: in the service database, so that every node knows them. */
import { createHmac, randomBytes } from 'node:crypto'
import { columnTypes, type Migration, type Store } from '@engine/core/store'

export interface AdminSession {
  /** Public: it names the session in the audit, and opens nothing. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly openedAtMs: number
  /** The session ends then, unless it is used before. */
  readonly idleUntilMs: number
  /** The session ends then in any case. */
  readonly untilMs: number
}

export interface AdminSessions {
  /** @returns the session and its token, which is stored nowhere. */
  open(): Promise<{ readonly token: string; readonly session: AdminSession }>
  /**
   * @param isUse false for requests that a page sends by itself: they do not keep the session alive.
   * @returns undefined when there is no such session, or it has ended.
   */
  find(token: string, isUse: boolean): Promise<AdminSession | undefined>
  end(token: string): Promise<void>
}

const idleMs = 30 * 60_000
const longestMs = 8 * 3_600_000

/** A use is written down at most this often. */
const touchMs = 60_000

interface Tables {
  engine_admin_sessions: { digest: string; opened_at: number; used_at: number }
}

/** Migrations of the table of administrators' sessions. */
export const adminSessionMigrations: readonly Migration[] = [
  {
    name: 'http/admin-sessions-0001',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_admin_sessions')
        .ifNotExists()
        .addColumn('digest', types.id, (column) => column.notNull().primaryKey())
        .addColumn('opened_at', types.time, (column) => column.notNull())
        .addColumn('used_at', types.time, (column) => column.notNull())
        .execute()
    },
  },
]

/**
 * Only digests are stored. They depend on the master key: with another key, no session is found.
 *
 * @param clock milliseconds since 1970.
 */
export async function openAdminSessions(
  store: Store,
  masterKey: string,
  clock: () => number,
): Promise<AdminSessions> {
  await store.migrate(adminSessionMigrations)
  const database = store.withTables<Tables>()
  const digestOf = (token: string) =>
    createHmac('sha256', masterKey).update(`engine admin session v1 ${token}`).digest('base64url')
  const sessionOf = (digest: string, openedAtMs: number, usedAtMs: number): AdminSession => {
    const untilMs = openedAtMs + longestMs
    const idleUntilMs = Math.min(usedAtMs + idleMs, untilMs)
    return { id: digest.slice(0, 12), openedAtMs, idleUntilMs, untilMs }
  }
  return {
    open: async () => {
      const nowMs = clock()
      const token = randomBytes(32).toString('base64url')
      const digest = digestOf(token)
      await database
        .deleteFrom('engine_admin_sessions')
        .where('opened_at', '<', nowMs - longestMs)
        .execute()
      await database
        .insertInto('engine_admin_sessions')
        .values({ digest, opened_at: nowMs, used_at: nowMs })
        .execute()
      return { token, session: sessionOf(digest, nowMs, nowMs) }
    },
    find: async (token, isUse) => {
      const nowMs = clock()
      const digest = digestOf(token)
      const row = await database
        .selectFrom('engine_admin_sessions')
        .select(['opened_at', 'used_at'])
        .where('digest', '=', digest)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const session = sessionOf(digest, row.opened_at, row.used_at)
      if (session.idleUntilMs <= nowMs) return undefined
      if (!isUse || nowMs - row.used_at < touchMs) return session
      await database
        .updateTable('engine_admin_sessions')
        .set({ used_at: nowMs })
        .where('digest', '=', digest)
        .execute()
      return sessionOf(digest, row.opened_at, nowMs)
    },
    end: async (token) => {
      await database
        .deleteFrom('engine_admin_sessions')
        .where('digest', '=', digestOf(token))
        .execute()
    },
  }
}
