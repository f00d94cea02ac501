/**
 * @module Addresses from which a user recently signed in to an account: failures from other addresses do not lock these
 * out.
 */
import { isUniqueViolation } from '@engine/core/store'
import type { AuthDatabase } from '../store/auth-tables.ts'

export const addressMemoryMs: number = 30 * 24 * 3_600_000

export async function isKnownAddress(
  database: AuthDatabase,
  { accountKey, addressKey }: AccountAddress,
  nowMs: number,
): Promise<boolean> {
  const row = await database
    .selectFrom('engine_known_addresses')
    .select('last_success_at')
    .where('account_key', '=', accountKey)
    .where('address_key', '=', addressKey)
    .where('last_success_at', '>', nowMs - addressMemoryMs)
    .executeTakeFirst()
  return row !== undefined
}

export interface AccountAddress {
  readonly accountKey: string
  readonly addressKey: string
}

/** Written at most once an hour. */
export async function rememberAddress(
  database: AuthDatabase,
  { accountKey, addressKey }: AccountAddress,
  nowMs: number,
): Promise<void> {
  const row = await database
    .selectFrom('engine_known_addresses')
    .select('last_success_at')
    .where('account_key', '=', accountKey)
    .where('address_key', '=', addressKey)
    .executeTakeFirst()
  if (row === undefined) {
    try {
      await database
        .insertInto('engine_known_addresses')
        .values({ account_key: accountKey, address_key: addressKey, last_success_at: nowMs })
        .execute()
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
    return
  }
  if (row.last_success_at > nowMs - 3_600_000) return
  await database
    .updateTable('engine_known_addresses')
    .set({ last_success_at: nowMs })
    .where('account_key', '=', accountKey)
    .where('address_key', '=', addressKey)
    .execute()
}
