/** @module Deletes expired rows. Nothing depends on it: expired rows are never used. */
import type { Log } from '@engine/core'
import { addressMemoryMs } from '../throttle/known-addresses.ts'
import { maxConsecutiveFailures } from '../throttle/lockout.ts'
import type { AuthDatabase } from './auth-tables.ts'

const day = 24 * 3_600_000
const everyMs = 15 * 60_000

/** Failures are deleted after this time without another one; a locked account stays locked for a year. */
const failureMemoryMs = 30 * day

/** Invitations are listed for this time after they have expired, so that they can be sent again. */
const invitationMemoryMs = 30 * day
const lockMemoryMs = 365 * day

export async function deleteEnded(database: AuthDatabase, nowMs: number): Promise<void> {
  await database.deleteFrom('engine_sessions').where('expires_at', '<=', nowMs).execute()
  await database.deleteFrom('engine_one_time_tokens').where('expires_at', '<=', nowMs).execute()
  await database
    .deleteFrom('engine_account_invitations')
    .where('expires_at', '<=', nowMs - invitationMemoryMs)
    .execute()
  await database
    .deleteFrom('engine_known_addresses')
    .where('last_success_at', '<=', nowMs - addressMemoryMs)
    .execute()
  await database
    .deleteFrom('engine_lockouts')
    .where('last_failure_at', '<=', nowMs - failureMemoryMs)
    .where('failures', '<', maxConsecutiveFailures)
    .execute()
  await database
    .deleteFrom('engine_lockouts')
    .where('last_failure_at', '<=', nowMs - lockMemoryMs)
    .execute()
}

/** Starts a sweep every quarter of an hour. @returns a function that ends it and waits for a running sweep. */
export function keepSweeping(
  database: AuthDatabase,
  { clock, log }: { readonly clock: () => number; readonly log: Log },
): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= deleteEnded(database, clock())
      .catch((error: unknown) => log.warn({ err: error }, 'ended sessions could not be deleted'))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
