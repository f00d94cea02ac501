/** @module Sessions in the service database: a signed token is valid only while its session exists. */
import { randomBytes } from 'node:crypto'
import type { AuthSettings, ClientInfo } from '@engine/core/server'
import { type Account, accountColumns, accountOf } from '../accounts/account.ts'
import type { BackgroundQueue } from '../background-queue.ts'
import type { AuthDatabase } from '../store/auth-tables.ts'

/** A session that was valid when it was read. */
export interface LiveSession {
  readonly sid: string
  readonly createdAtMs: number
  readonly lastSeenAtMs: number
  /** End of the latest token. */
  readonly expiresAtMs: number
  /** A refresh never extends the session beyond it. */
  readonly absoluteAtMs: number
  readonly account: Account
}

export interface SessionStore {
  /**
   * One indexed read.
   *
   * @returns undefined when it is unknown, ended or expired, its account was deleted or disabled, or all sessions of
   * the account were ended since.
   */
  find(sid: string): Promise<LiveSession | undefined>
  /** Extends a session and records that it was used. @returns false when it has ended meanwhile. */
  extend(sid: string, expiresAtMs: number): Promise<boolean>
  end(sid: string): Promise<boolean>
}

/** Placeholder for a session's id in a compiled statement. */
const anySid = '<sid>'

/** Precision of the time at which a session was last seen, in milliseconds. */
const seenWithinMs = 5 * 60_000

export interface SessionStoreOptions {
  readonly database: AuthDatabase
  readonly background: BackgroundQueue
  readonly clock: () => number
}

export function createSessionStore({
  database,
  background,
  clock,
}: SessionStoreOptions): SessionStore {
  /** Sessions whose use is being recorded; at most as many as the queue accepts. */
  const touching = new Set<string>()
  const touch = (sid: string, nowMs: number): void => {
    if (touching.has(sid)) return
    touching.add(sid)
    const isAdded = background.add('noting that a session was seen', async () => {
      try {
        await database
          .updateTable('engine_sessions')
          .set({ last_seen_at: nowMs })
          .where('sid', '=', sid)
          .where('last_seen_at', '<', nowMs)
          .execute()
      } finally {
        touching.delete(sid)
      }
    })
    if (!isAdded) touching.delete(sid)
  }
  // Compiled once: it runs on every request.
  const liveSession = database
    .selectFrom('engine_sessions')
    .innerJoin('engine_users', (join) =>
      join
        .onRef('engine_users.id', '=', 'engine_sessions.user_id')
        .onRef('engine_users.epoch', '=', 'engine_sessions.epoch'),
    )
    .select([
      ...accountColumns,
      'engine_sessions.sid',
      'engine_sessions.created_at as began_at',
      'engine_sessions.last_seen_at',
      'engine_sessions.expires_at',
      'engine_sessions.absolute_at',
    ])
    .where('engine_users.disabled', '=', 0)
    .where('engine_sessions.sid', '=', anySid)
    .compile()
  const read = async (sid: string) => {
    const parameters = liveSession.parameters.map((value) => (value === anySid ? sid : value))
    const query: typeof liveSession = { ...liveSession, parameters }
    const { rows } = await database.executeQuery(query)
    return rows[0]
  }
  return {
    find: async (sid) => {
      const row = await read(sid)
      const nowMs = clock()
      if (row === undefined || row.expires_at <= nowMs) return undefined
      if (nowMs - row.last_seen_at > seenWithinMs) touch(row.sid, nowMs)
      return {
        sid: row.sid,
        createdAtMs: row.began_at,
        lastSeenAtMs: row.last_seen_at,
        expiresAtMs: row.expires_at,
        absoluteAtMs: row.absolute_at,
        account: accountOf(row),
      }
    },
    extend: async (sid, expiresAtMs) => {
      const { numUpdatedRows } = await database
        .updateTable('engine_sessions')
        .set({ expires_at: expiresAtMs, last_seen_at: clock() })
        .where('sid', '=', sid)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    end: async (sid) => {
      const { numDeletedRows } = await database
        .deleteFrom('engine_sessions')
        .where('sid', '=', sid)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** A new session; its times are whole seconds, like those of tokens. */
export interface NewSession {
  readonly sid: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/**
 * Begins a session under a new id, and ends the oldest ones of the account beyond `maxPerUser`.
 *
 * @param epoch of the account when its password was checked: if it has changed since, the session is never valid.
 */
export async function beginSession(
  database: AuthDatabase,
  {
    userId,
    epoch,
    nowMs,
  }: { readonly userId: string; readonly epoch: number; readonly nowMs: number },
  client: ClientInfo,
  { absoluteMs, expiresInMs, maxPerUser }: AuthSettings['session'],
): Promise<NewSession> {
  const sid = randomBytes(16).toString('base64url')
  const absoluteAtMs = wholeSeconds(nowMs + absoluteMs)
  const expiresAtMs = Math.min(wholeSeconds(nowMs + expiresInMs), absoluteAtMs)
  await database
    .insertInto('engine_sessions')
    .values({
      sid,
      user_id: userId,
      epoch,
      created_at: nowMs,
      last_seen_at: nowMs,
      expires_at: expiresAtMs,
      absolute_at: absoluteAtMs,
      ip: client.ip?.slice(0, 64) ?? null,
      user_agent: client.userAgent?.slice(0, 200).toWellFormed().replaceAll('\0', '') ?? null,
    })
    .execute()
  const surplus = await database
    .selectFrom('engine_sessions')
    .select('sid')
    .where('user_id', '=', userId)
    .where('sid', '!=', sid)
    .orderBy('created_at', 'desc')
    .orderBy('sid')
    .limit(1_000)
    .offset(maxPerUser - 1)
    .execute()
  if (surplus.length > 0) {
    const sids = surplus.map((row) => row.sid)
    await database.deleteFrom('engine_sessions').where('sid', 'in', sids).execute()
  }
  return { sid, createdAtMs: nowMs, expiresAtMs }
}

/** The precision of `exp` in a token. */
export function wholeSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1_000) * 1_000
}

/** Sessions of one account, or all; except `except`. @returns how many ended. */
export async function endSessions(
  database: AuthDatabase,
  { userId, except }: { readonly userId?: string; readonly except?: string },
): Promise<number> {
  let deletion = database.deleteFrom('engine_sessions')
  if (userId !== undefined) deletion = deletion.where('user_id', '=', userId)
  if (except !== undefined) deletion = deletion.where('sid', '!=', except)
  const { numDeletedRows } = await deletion.executeTakeFirst()
  return Number(numDeletedRows)
}
