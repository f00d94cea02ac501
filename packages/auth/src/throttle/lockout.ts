/** @module Failed sign-ins of one account, from any address: counted, then slowed down, then locked. */

import type { Rate } from '@engine/core/server'
import { isUniqueViolation } from '@engine/core/store'
import type { AuthDatabase, LockoutsTable } from '../store/auth-tables.ts'

/** NIST SP 800-63B: no more than 100 consecutive failures on one account. */
export const maxConsecutiveFailures = 100

const maxDelayMs = 15 * 60_000

/** The recorded failures of an account; undefined when there were none. */
export type Failures = Pick<
  LockoutsTable,
  'failures' | 'recent_failures' | 'window_started_at' | 'last_failure_at'
>

/**
 * Milliseconds until the next attempt: after `limit` failures in a period 1 s, doubled by each further one up to 15
 * minutes.
 *
 * @param pending attempts that are being checked now; each may fail.
 */
export function lockoutDelayMs(
  failures: Failures | undefined,
  { limit, periodMs }: Rate,
  nowMs: number,
  pending: number,
): number {
  const known = failures ?? noFailures
  if (known.failures + pending >= maxConsecutiveFailures) return maxDelayMs
  const isCurrent = nowMs - known.window_started_at < periodMs
  const recent = (isCurrent ? known.recent_failures : 0) + pending
  if (recent < limit) return 0
  const delayMs = Math.min(1_000 * 2 ** Math.min(recent - limit, 20), maxDelayMs)
  // While one is being checked, its failure would be at the current time.
  const since = pending > 0 ? nowMs : known.last_failure_at
  return Math.max(0, since + delayMs - nowMs)
}

const noFailures: Failures = {
  failures: 0,
  recent_failures: 0,
  window_started_at: 0,
  last_failure_at: 0,
}

export async function readFailures(
  database: AuthDatabase,
  accountKey: string,
): Promise<Failures | undefined> {
  return database
    .selectFrom('engine_lockouts')
    .select(['failures', 'recent_failures', 'window_started_at', 'last_failure_at'])
    .where('account_key', '=', accountKey)
    .executeTakeFirst()
}

/** Counts one more failure; concurrent nodes lose none. */
export async function addFailure(
  database: AuthDatabase,
  accountKey: string,
  { periodMs }: Rate,
  nowMs: number,
): Promise<void> {
  if (await countOneMore(database, accountKey, periodMs, nowMs)) return
  try {
    await database
      .insertInto('engine_lockouts')
      .values({
        account_key: accountKey,
        failures: 1,
        recent_failures: 1,
        window_started_at: nowMs,
        last_failure_at: nowMs,
      })
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await countOneMore(database, accountKey, periodMs, nowMs)
  }
}

/** MySQL evaluates assignments from left to right: the window's start, which the count reads, is assigned last. */
async function countOneMore(
  database: AuthDatabase,
  accountKey: string,
  periodMs: number,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('engine_lockouts')
    .set((row) => ({
      failures: row('failures', '+', 1),
      recent_failures: row
        .case()
        .when('window_started_at', '>', nowMs - periodMs)
        .then(row('recent_failures', '+', 1))
        .else(1)
        .end(),
      last_failure_at: nowMs,
      window_started_at: row
        .case()
        .when('window_started_at', '>', nowMs - periodMs)
        .then(row.ref('window_started_at'))
        .else(nowMs)
        .end(),
    }))
    .where('account_key', '=', accountKey)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function clearFailures(database: AuthDatabase, accountKey: string): Promise<void> {
  await database.deleteFrom('engine_lockouts').where('account_key', '=', accountKey).execute()
}
