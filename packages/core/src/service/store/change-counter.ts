/**
 * @module The change counter: a number in the service database that advances with every change of what credentials resolve to.
 * What a node remembers of a credential is valid for one number, and a request asks for the number first.
 */
import { ColumnNode, type RootOperationNode, TableNode } from 'kysely'
import { columnTypes } from './column-types.ts'
import type { CountedTable, Migration } from './store.ts'

/** Decides whether a statement is a change that counts. */
export interface CountedChanges {
  /** From now on the changes of these tables count. */
  add(tables: readonly CountedTable[]): void
  has(sql: string, query: RootOperationNode): boolean
}

export const countSql = 'select value from engine_changes where id = 1'
export const advanceSql = 'update engine_changes set value = value + 1 where id = 1'

/** The table of the counter, with its one row. */
export const changeCounterMigrations: readonly Migration[] = [
  {
    name: 'core/changes-0001',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_changes')
        .ifNotExists()
        .addColumn('id', types.count, (column) => column.primaryKey())
        .addColumn('value', types.count, (column) => column.notNull())
        .execute()
      const row = await database.selectFrom('engine_changes').select('id').executeTakeFirst()
      if (row !== undefined) return
      await database.insertInto('engine_changes').values({ id: 1, value: 1 }).execute()
    },
  },
]

export function createCountedChanges(): CountedChanges {
  const tables = new Map<string, CountedTable>()
  let names: RegExp | undefined
  return {
    add: (added) => {
      for (const table of added) tables.set(table.name, table)
      names = new RegExp(`\\b(?:${[...tables.keys()].join('|')})\\b`)
    },
    has: (sql, query) => {
      if (names === undefined || /^\s*select\b/i.test(sql) || !names.test(sql)) return false
      return !isIgnored(query, tables)
    },
  }
}

/** What is not understood counts: then callers are looked up once more than needed. */
function isIgnored(query: RootOperationNode, tables: ReadonlyMap<string, CountedTable>): boolean {
  if (query.kind === 'InsertQueryNode') {
    const name = query.into?.table.identifier.name
    return name !== undefined && tables.get(name)?.ignoresInserts === true
  }
  if (query.kind !== 'UpdateQueryNode' || query.table === undefined) return false
  if (!TableNode.is(query.table)) return false
  const ignored = tables.get(query.table.table.identifier.name)?.ignoredColumns ?? []
  return (query.updates ?? []).every(
    ({ column }) => ColumnNode.is(column) && ignored.includes(column.column.name),
  )
}
