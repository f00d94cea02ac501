/** @module The tables of accounts in the service database, and which of their changes alter what a credential resolves to. */
import type { CountedTable, Store } from '@engine/core/store'
import { authMigrations } from '../migrations/auth-migrations.ts'
import type { AuthDatabase, AuthTables } from './auth-tables.ts'

/** Callers are remembered for one state of these tables. */
const counted: readonly CountedTable[] = [
  // New accounts count: a token of another service can belong to an account that is created later.
  { name: 'engine_users', ignoredColumns: ['password_hash'] },
  {
    name: 'engine_sessions',
    ignoresInserts: true,
    ignoredColumns: ['last_seen_at', 'expires_at'],
  },
  { name: 'engine_api_keys', ignoresInserts: true, ignoredColumns: ['last_used_at'] },
  { name: 'engine_denied_tokens' },
]

/**
 * Brings the tables up to date. Every program that writes them opens them here, so that running nodes notice the changes.
 *
 * @throws {GatewayError} `invalidConfiguration` when the tables cannot be created.
 */
export async function openAuthTables(store: Store): Promise<AuthDatabase> {
  await store.countChanges(counted, authMigrations)
  return store.withTables<AuthTables>()
}
