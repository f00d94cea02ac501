/** @module The migrations of the tables of the audit. */
import { columnTypes } from '../store/column-types.ts'
import { createIndex } from '../store/create-index.ts'
import type { Migration } from '../store/store.ts'
import { entriesView } from './entries-view.ts'

/** Migrations of the tables of the audit log. */
export const auditMigrations: readonly Migration[] = [
  {
    name: 'core/audit-0001-entries',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_audit')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.notNull().primaryKey())
        .addColumn('at', types.time, (column) => column.notNull())
        .addColumn('node', types.text(64), (column) => column.notNull())
        .addColumn('kind', types.text(16), (column) => column.notNull())
        .addColumn('via', types.text(191))
        .addColumn('correlation_id', types.text(128))
        .addColumn('ip', types.text(64))
        .addColumn('caller', types.text(191))
        .addColumn('roles', types.longText)
        .addColumn('credential_id', types.text(128))
        .addColumn('connection', types.text(191))
        .addColumn('action', types.text(191))
        .addColumn('sql_text', types.longText)
        .addColumn('params', types.longText)
        .addColumn('duration_us', types.count)
        .addColumn('row_count', types.count)
        .addColumn('error', types.text(64))
        .addColumn('message', types.longText)
        .addColumn('facts', types.longText)
        .execute()
      const table = 'engine_audit'
      const index = (name: string, columns: readonly string[]) =>
        createIndex(database, kind, { name, table, columns })
      await index('engine_audit_kind', ['kind', 'id'])
      await index('engine_audit_caller', ['caller', 'id'])
      await index('engine_audit_correlation', ['correlation_id'])
      await database.schema
        .createTable('engine_audit_lease')
        .ifNotExists()
        .addColumn('name', types.id, (column) => column.notNull().primaryKey())
        .addColumn('holder', types.id, (column) => column.notNull())
        .addColumn('until', types.time, (column) => column.notNull())
        .execute()
    },
  },
  {
    name: 'core/audit-0002-batches',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_audit_batch')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.notNull().primaryKey())
        .addColumn('first_id', types.id, (column) => column.notNull())
        .addColumn('entry_count', types.count, (column) => column.notNull())
        .addColumn('marks', types.longText, (column) => column.notNull())
        .addColumn('contexts', types.longText, (column) => column.notNull())
        .addColumn('entries', types.longText, (column) => column.notNull())
        .execute()
      await entriesView(kind).execute(database)
    },
  },
]
