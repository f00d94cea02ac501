/** @module Tables of accounts and sessions, and tables that protect them. */
import { columnTypes, createIndex, type Migration } from '@engine/core/store'
import type { Kysely } from 'kysely'

const initial: Migration = {
  name: 'auth/accounts-0001-initial',
  up: async (database, kind) => {
    const { id, text, longText, time, count, flag } = columnTypes(kind)
    await database.schema
      .createTable('engine_users')
      .ifNotExists()
      .addColumn('id', text(191), (column) => column.primaryKey())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('email_key', text(254), (column) => column.notNull().unique())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('email_verified', flag, (column) => column.notNull())
      .addColumn('disabled', flag, (column) => column.notNull())
      .addColumn('roles', longText)
      .addColumn('password_hash', text(512))
      .addColumn('epoch', count, (column) => column.notNull())
      .addColumn('created_at', time, (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('engine_sessions')
      .ifNotExists()
      .addColumn('sid', id, (column) => column.primaryKey())
      .addColumn('user_id', text(191), (column) => column.notNull())
      .addColumn('epoch', count, (column) => column.notNull())
      .addColumn('created_at', time, (column) => column.notNull())
      .addColumn('last_seen_at', time, (column) => column.notNull())
      .addColumn('expires_at', time, (column) => column.notNull())
      .addColumn('absolute_at', time, (column) => column.notNull())
      .addColumn('ip', id)
      .addColumn('user_agent', text(256))
      .execute()
    await database.schema
      .createTable('engine_one_time_tokens')
      .ifNotExists()
      .addColumn('token_hash', id, (column) => column.primaryKey())
      .addColumn('purpose', id, (column) => column.notNull())
      .addColumn('user_id', text(191), (column) => column.notNull())
      .addColumn('email_key', text(254), (column) => column.notNull())
      .addColumn('created_at', time, (column) => column.notNull())
      .addColumn('expires_at', time, (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('engine_lockouts')
      .ifNotExists()
      .addColumn('account_key', id, (column) => column.primaryKey())
      .addColumn('failures', count, (column) => column.notNull())
      .addColumn('recent_failures', count, (column) => column.notNull())
      .addColumn('window_started_at', time, (column) => column.notNull())
      .addColumn('last_failure_at', time, (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('engine_known_addresses')
      .ifNotExists()
      .addColumn('account_key', id, (column) => column.notNull())
      .addColumn('address_key', id, (column) => column.notNull())
      .addColumn('last_success_at', time, (column) => column.notNull())
      .addPrimaryKeyConstraint('engine_known_addresses_key', ['account_key', 'address_key'])
      .execute()
    const index = (table: string, columns: readonly string[]) =>
      createIndex(database, kind, { name: `${table}_${columns.join('_')}`, table, columns })
    await index('engine_users', ['created_at', 'id'])
    await index('engine_sessions', ['user_id', 'created_at'])
    await index('engine_sessions', ['expires_at'])
    await index('engine_one_time_tokens', ['user_id', 'purpose'])
    await index('engine_one_time_tokens', ['expires_at'])
    await index('engine_lockouts', ['last_failure_at'])
    await index('engine_known_addresses', ['last_success_at'])
  },
}

const invitations: Migration = {
  name: 'auth/accounts-0002-invitations',
  up: async (database, kind) => {
    const { id, text, longText, time, count } = columnTypes(kind)
    await database.schema
      .createTable('engine_invitations')
      .ifNotExists()
      .addColumn('id', id, (column) => column.primaryKey())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('email_key', text(254), (column) => column.notNull().unique())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('roles', longText)
      .addColumn('fields', longText, (column) => column.notNull())
      .addColumn('lifetime', count, (column) => column.notNull())
      .addColumn('created_at', time, (column) => column.notNull())
      .addColumn('sent_at', time, (column) => column.notNull())
      .addColumn('expires_at', time, (column) => column.notNull())
      .execute()
    const index = (columns: readonly string[]) =>
      createIndex(database, kind, {
        name: `engine_invitations_${columns.join('_')}`,
        table: 'engine_invitations',
        columns,
      })
    await index(['created_at', 'id'])
    await index(['expires_at'])
  },
}

/** Each scope has its own invitations. SQLite cannot drop the unique constraint of a column: the table is replaced. */
const scopes: Migration = {
  name: 'auth/accounts-0003-invitations-in-scopes',
  up: async (database, kind) => {
    const { id, text, longText, time, count } = columnTypes(kind)
    const table = 'engine_account_invitations'
    await database.schema
      .createTable(table)
      .ifNotExists()
      .addColumn('id', id, (column) => column.primaryKey())
      .addColumn('scope', text(191), (column) => column.notNull())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('email_key', text(254), (column) => column.notNull())
      .addColumn('name', text(200), (column) => column.notNull())
      .addColumn('roles', longText)
      .addColumn('fields', longText, (column) => column.notNull())
      .addColumn('lifetime', count, (column) => column.notNull())
      .addColumn('created_at', time, (column) => column.notNull())
      .addColumn('sent_at', time, (column) => column.notNull())
      .addColumn('expires_at', time, (column) => column.notNull())
      .execute()
    const index = (columns: readonly string[], isUnique: boolean) =>
      createIndex(database, kind, {
        name: `${table}_${columns.join('_')}`,
        table,
        columns,
        isUnique,
      })
    await index(['email_key', 'scope'], true)
    await index(['scope', 'created_at'], false)
    await index(['created_at', 'id'], false)
    await index(['expires_at'], false)
    await moveInvitations(database)
  },
}

/** On MySQL, an interrupted migration runs again: then rows, or the whole table, may have been moved. */
// biome-ignore lint/suspicious/noExplicitAny: a migration meets tables of every age
async function moveInvitations(database: Kysely<any>): Promise<void> {
  const tables = await database.introspection.getTables()
  if (!tables.some(({ name }) => name === 'engine_invitations')) return
  const moved = database.selectFrom('engine_account_invitations').select('id')
  const rows = await database
    .selectFrom('engine_invitations')
    .selectAll()
    .where('id', 'not in', moved)
    .execute()
  for (const row of rows) {
    await database
      .insertInto('engine_account_invitations')
      .values({ ...row, scope: '' })
      .execute()
  }
  await database.schema.dropTable('engine_invitations').execute()
}

/** Released migrations are never changed; append new ones. */
export const accountMigrations: readonly Migration[] = [initial, invitations, scopes]
