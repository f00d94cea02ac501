import type { Store } from '@engine/core/server'
import { sql } from 'kysely'
import { type Account, accountColumns, accountOf } from '../accounts/account.ts'
import type { AuthTables } from '../auth-tables.ts'
import type { TokenTables } from '../tokens/migrations.ts'

/** What is known here of a token that was made elsewhere. */
export interface TokenState {
  readonly isDenied: boolean
  /** The account that its subject names. */
  readonly account: Account | undefined
}

/** @param subject undefined: it names no account of ours, whatever it is called. */
export type ReadTokenState = (
  fingerprint: string,
  subject: string | undefined,
) => Promise<TokenState>

/** One statement of two indexed reads. */
export function createTokenStateReader(store: Store): ReadTokenState {
  const database = store.withTables<AuthTables & TokenTables>()
  return async (fingerprint, subject) => {
    const row = await database
      .selectFrom(database.selectNoFrom(sql<number>`1`.as('one')).as('once'))
      .leftJoin('engine_denied_tokens', (join) =>
        join.on('engine_denied_tokens.fingerprint', '=', fingerprint),
      )
      .leftJoin('engine_users', (join) => join.on('engine_users.id', '=', subject ?? ''))
      .select(['engine_denied_tokens.fingerprint as denied', ...accountColumns])
      .executeTakeFirstOrThrow()
    const { id, email, name, email_verified, disabled, created_at } = row
    const isThere =
      id !== null &&
      email !== null &&
      name !== null &&
      email_verified !== null &&
      disabled !== null &&
      created_at !== null
    const account = isThere
      ? accountOf({ id, email, name, email_verified, disabled, created_at, roles: row.roles })
      : undefined
    return { isDenied: row.denied !== null, account }
  }
}
