import type { Store } from '@engine/core/store'
import { sql } from 'kysely'
import { type Account, accountColumns, accountOf } from '../accounts/account.ts'
import type { AuthTables } from '../store/auth-tables.ts'
import type { TokenTables } from '../tokens/migrations.ts'

/** The state of a token that was created elsewhere, in this service. */
export interface TokenState {
  readonly isDenied: boolean
  /** The account with the id that is its subject. */
  readonly account: Account | undefined
}

/** @param subject undefined: the subject is not an account of this service, whatever its text. */
export type ReadTokenState = (
  fingerprint: string,
  subject: string | undefined,
) => Promise<TokenState>

/** One statement with two indexed reads. */
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
