import { columnTypes, createIndex, type Migration } from '@engine/core/store'

export interface MailTables {
  readonly engine_mails: {
    readonly id: string
    readonly kind: string
    /** The mail as JSON, encrypted. */
    readonly sealed: string
    readonly created_at: number
    readonly expires_at: number
    /** When a node may claim it; while a node has claimed it, a time in the future. */
    readonly next_at: number
    readonly attempts: number
  }
}

export const mailMigrations: readonly Migration[] = [
  {
    name: 'auth/mail-0001-queue',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_mails')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.primaryKey().notNull())
        .addColumn('kind', types.text(40), (column) => column.notNull())
        .addColumn('sealed', types.longText, (column) => column.notNull())
        .addColumn('created_at', types.time, (column) => column.notNull())
        .addColumn('expires_at', types.time, (column) => column.notNull())
        .addColumn('next_at', types.time, (column) => column.notNull())
        .addColumn('attempts', types.count, (column) => column.notNull())
        .execute()
      await createIndex(database, kind, {
        name: 'engine_mails_next_at',
        table: 'engine_mails',
        columns: ['next_at'],
      })
    },
  },
]
