/** @module The table of configurations. */
import { columnTypes } from '../store/column-types.ts'
import type { Migration } from '../store/store.ts'

/** A revision. */
export interface ConfigurationRow {
  revision: number
  at: number
  author: string
  via: string
  note: string | null
  /** JSON; secrets are encrypted. */
  document: string
  /** JSON: a list of `ShownChange`. */
  changes: string
}

export interface ConfigurationTables {
  engine_config: ConfigurationRow
}

/** Migrations of the tables of stored configurations. */
export const configurationMigrations: readonly Migration[] = [
  {
    name: 'core/config-0001',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_config')
        .ifNotExists()
        .addColumn('revision', types.count, (column) => column.notNull().primaryKey())
        .addColumn('at', types.time, (column) => column.notNull())
        .addColumn('author', types.text(191), (column) => column.notNull())
        .addColumn('via', types.text(32), (column) => column.notNull())
        .addColumn('note', types.longText)
        .addColumn('document', types.longText, (column) => column.notNull())
        .addColumn('changes', types.longText, (column) => column.notNull())
        .execute()
    },
  },
]
