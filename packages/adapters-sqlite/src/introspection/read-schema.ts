/** @module Reads the schema of a database. Runs in one read transaction of its caller. */
import type { UniqueIndex } from '@engine/core/catalog'
import type Database from 'better-sqlite3'
import { hasRowidAlias, primaryKeyOf, rowidNameOf } from './keys.ts'
import { type PlainIndexRow, plainIndexesOf, plainIndexesQuery } from './plain-indexes.ts'
import { sampleColumns } from './sample-columns.ts'
import type {
  ColumnFacts,
  ForeignKeyFacts,
  IndexFacts,
  PlainIndexFacts,
  SchemaFacts,
  TableFacts,
} from './schema-facts.ts'
import { type UniqueIndexRow, uniqueIndexesOf, uniqueIndexesQuery } from './unique-indexes.ts'

interface TableRow {
  readonly name: string
  readonly type: 'table' | 'view'
  readonly wr: bigint
  readonly strict: bigint
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly notnull: bigint
  readonly dflt_value: string | null
  readonly pk: bigint
  readonly hidden: bigint
}

interface IndexRow {
  readonly name: string
  readonly origin: string
}

interface IndexColumnRow {
  readonly cid: bigint
  readonly name: string | null
  readonly coll: string
}

interface ForeignKeyRow {
  readonly id: bigint
  readonly table: string
  readonly from: string
  readonly to: string | null
  readonly onDelete: string
  readonly onUpdate: string
}

/** The time for sampling tables; when it is used up, the remaining tables are sampled more briefly. In milliseconds. */
const sampleBudgetMs = 3_000

/**
 * Ordinary tables and views. Virtual tables, their shadow tables, and SQLite's own tables are left out.
 *
 * @param database returns integers as bigint.
 */
export function readSchema(database: Database.Database): SchemaFacts {
  const lateAt = performance.now() + sampleBudgetMs
  const rows = database
    .prepare<[], TableRow>(
      `select name, type, wr, strict from pragma_table_list
      where schema = 'main' and type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'
      order by name`,
    )
    .all()
  const tables: TableFacts[] = []
  const brokenViews: { readonly name: string; readonly reason: string }[] = []
  for (const row of rows) {
    try {
      tables.push(readTable(database, row, () => performance.now() > lateAt))
    } catch (error) {
      if (row.type !== 'view' || !(error instanceof Error)) throw error
      brokenViews.push({ name: row.name, reason: error.message })
    }
  }
  return { version: schemaVersionOf(database), tables, brokenViews }
}

/** Changes with every change of the schema, also by another process. */
export function schemaVersionOf(database: Database.Database): number {
  return Number(database.prepare<[], bigint>('pragma schema_version').pluck().get() ?? 0n)
}

function readTable(
  database: Database.Database,
  { name, type, wr, strict }: TableRow,
  isLate: () => boolean,
): TableFacts {
  // Preparing a SELECT shows whether a view is broken.
  database.prepare(`select * from ${quoted(name)} limit 0`).all()
  const isTable = type === 'table'
  const table: TableFacts = {
    name,
    kind: type,
    isStrict: strict !== 0n,
    hasRowid: isTable && wr === 0n,
    columns: readColumns(database, name),
    indexes: isTable ? readIndexes(database, name) : [],
    plainIndexes: isTable ? readPlainIndexes(database, name) : [],
    uniqueIndexes: isTable ? readUniqueIndexes(database, name) : [],
    foreignKeys: isTable ? readForeignKeys(database, name) : [],
    createSql: isTable ? readCreateSql(database, name) : undefined,
  }
  return isTable ? withSamples(database, table, isLate()) : table
}

function withSamples(database: Database.Database, table: TableFacts, isLate: boolean): TableFacts {
  const { name, columns } = table
  const rowid = rowidNameOf(table)
  const samples = sampleColumns(
    database,
    {
      name,
      columns,
      order: rowid === undefined ? primaryKeyOf(table) : [rowid],
      indexed: readIndexed(database, table),
    },
    isLate,
  )
  return { ...table, columns: columns.map((each, index) => ({ ...each, sample: samples[index] })) }
}

function readCreateSql(database: Database.Database, table: string): string | undefined {
  return database
    .prepare<[string], string>(`select sql from sqlite_schema where type = 'table' and name = ?`)
    .pluck()
    .get(table)
}

/** `hidden` is 1 for columns that only virtual tables have, 2 and 3 for generated columns. */
function readColumns(database: Database.Database, table: string): readonly ColumnFacts[] {
  return database
    .prepare<[string], ColumnRow>(
      `select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)
      where hidden <> 1 order by cid`,
    )
    .all(table)
    .map((column) => ({
      name: column.name,
      declaredType: column.type,
      isNotNull: column.notnull !== 0n,
      defaultText: column.dflt_value ?? undefined,
      keyPosition: Number(column.pk),
      isGenerated: column.hidden !== 0n,
      collation: readCollation(database, table, column.name),
      sample: undefined,
    }))
}

/** Columns whose smallest and largest value an index gives. */
function readIndexed(database: Database.Database, table: TableFacts): ReadonlySet<string> {
  const leading = database
    .prepare<[string], string>(
      `select distinct c.name from pragma_index_list(?) i, pragma_index_xinfo(i.name) c
      where i.partial = 0 and c.seqno = 0 and c.name is not null`,
    )
    .pluck()
    .all(table.name)
  return new Set(hasRowidAlias(table) ? [...leading, ...primaryKeyOf(table)] : leading)
}

function readIndexes(database: Database.Database, table: string): readonly IndexFacts[] {
  const indexes = database
    .prepare<[string], IndexRow>(
      `select name, origin from pragma_index_list(?) where "unique" = 1 and partial = 0 order by seq desc`,
    )
    .all(table)
  return indexes.flatMap(({ name, origin }) => {
    const columns = database
      .prepare<[string], IndexColumnRow>(
        `select cid, name, coll from pragma_index_xinfo(?) where key = 1 order by seqno`,
      )
      .all(name)
      .map((column) => ({ name: column.name, collation: column.coll }))
    // An expression has no name.
    const isWhole = columns.every((column): column is { name: string; collation: string } => {
      return column.name !== null
    })
    return isWhole ? [{ isPrimaryKey: origin === 'pk', columns }] : []
  })
}

function readPlainIndexes(database: Database.Database, table: string): readonly PlainIndexFacts[] {
  const rows = database.prepare<[string], PlainIndexRow>(plainIndexesQuery).all(table)
  return plainIndexesOf(rows)
}

function readUniqueIndexes(database: Database.Database, table: string): readonly UniqueIndex[] {
  const rows = database.prepare<[string], UniqueIndexRow>(uniqueIndexesQuery).all(table)
  return uniqueIndexesOf(rows)
}

function readForeignKeys(database: Database.Database, table: string): readonly ForeignKeyFacts[] {
  const rows = database
    .prepare<[string], ForeignKeyRow>(
      `select id, "table", "from", "to", on_delete as onDelete, on_update as onUpdate
        from pragma_foreign_key_list(?) order by id desc, seq`,
    )
    .all(table)
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((columns) => ({
    table: columns[0]?.table ?? '',
    columns: columns.map(({ from, to }) => ({ from, to })),
    onDelete: columns[0]?.onDelete ?? '',
    onUpdate: columns[0]?.onUpdate ?? '',
  }))
}

/**
 * No pragma returns the collation of a column, but UNION uses the collation of its first SELECT: `a` and `A` are one row where
 * case does not count, `a` and `a ` where blanks at the end do not. Reads no row of the table.
 */
function readCollation(database: Database.Database, table: string, column: string): string {
  const distinct = (other: string) =>
    database
      .prepare<[], bigint>(
        `select count(*) from
        (select ${quoted(column)} from ${quoted(table)} where 0 union select 'a' union select '${other}')`,
      )
      .pluck()
      .get()
  try {
    if (distinct('A') === 1n) return 'NOCASE'
    return distinct('a ') === 1n ? 'RTRIM' : 'BINARY'
  } catch (error) {
    // A collation that only the application defines which created the file.
    const unknown = error instanceof Error ? /collation sequence: (.*)$/.exec(error.message) : null
    if (unknown === null) throw error
    return unknown[1] ?? ''
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
