/**
 * @module The change counter: a number in the service database that advances with every change of what credentials resolve to.
 * What a node remembers of a credential is valid for one number, and a request asks for the number first.
 */
import { ColumnNode, type RootOperationNode, TableNode } from 'kysely'
import { columnTypes } from './column-types.ts'
import type { CountedTable, Migration, StoreKind } from './store.ts'

/** Decides whether a statement is a change that counts. */
export interface CountedChanges {
  /** From now on the changes of these tables count. */
  add(tables: readonly CountedTable[]): void
  has(sql: string, query: RootOperationNode): boolean
}

/**
 * Reads the counter. A restored backup has another number, or it was restored to the same one: PostgreSQL then has written the row
 * in another transaction, and SQLite has changed the version of the schema. Only equal readings mean that nothing has changed.
 */
export function countSql(kind: StoreKind): string {
  const read = (value: string) => `select ${value} as value from engine_changes where id = 1`
  switch (kind) {
    case 'postgres':
      return read(`value + ${shift} * xmin::text::bigint`)
    case 'sqlite':
      return read(`value + ${shift} * (select schema_version from pragma_schema_version)`)
    case 'mysql':
    case 'libsql':
      return read('value')
  }
}

const shift = 2 ** 20

/**
 * Advances the counter by a random step: after a backup was restored, the counter does not pass through the numbers that a node
 * remembers.
 */
export function advanceSql(kind: StoreKind): string {
  return `update engine_changes set value = value + 1 + ${randomSteps[kind]} where id = 1`
}

/** Whole numbers below 65 536: 2^32 changes fit. */
const randomSteps: Readonly<Record<StoreKind, string>> = {
  sqlite: 'abs(random() % 65536)',
  libsql: 'abs(random() % 65536)',
  postgres: 'floor(random() * 65536)::bigint',
  mysql: 'floor(rand() * 65536)',
}

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
