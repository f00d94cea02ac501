/** @module Reads the schema of a database on a libSQL server. */
import {
  type ColumnFacts,
  type ForeignKeyFacts,
  hasRowidAlias,
  type IndexFacts,
  type PlainIndexFacts,
  plainIndexesOf,
  plainIndexesQuery,
  primaryKeyOf,
  rowidNameOf,
  type SchemaFacts,
  sampleSql,
  samplesOf,
  type TableFacts,
  uniqueIndexesOf,
  uniqueIndexesQuery,
} from '@engine/adapters-sqlite/dialect'
import type { UniqueIndex } from '@engine/core/catalog'
import type { Executor } from '../driver/libsql-client.ts'

/** In a table with more rows, only the first and last ones are read. */
const maxRowsRead = 50_000
const endRows = 1_000

type Row = Readonly<Record<string, unknown>>

/** Ordinary tables and views; those that cannot be read are left out and listed. */
export async function readSchema(executor: Executor): Promise<SchemaFacts> {
  const query = async (sql: string, args: readonly (string | bigint)[] = []): Promise<Row[]> => {
    const { rows, columns } = await executor.execute({ sql, args: [...args] })
    return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))
  }
  const [version] = await query('pragma schema_version')
  const names = await query(
    `select name, type, wr, strict from pragma_table_list
    where schema = 'main' and type in ('table', 'view')
      and name not like 'sqlite\\_%' escape '\\' and name not like 'libsql\\_%' escape '\\'
    order by name`,
  )
  const tables: TableFacts[] = []
  const brokenViews: { readonly name: string; readonly reason: string }[] = []
  for (const row of names) {
    try {
      tables.push(await readTable(query, row))
    } catch (error) {
      if (row['type'] !== 'view' || !(error instanceof Error)) throw error
      brokenViews.push({ name: String(row['name']), reason: error.message })
    }
  }
  return { version: Number(version?.['schema_version'] ?? 0), tables, brokenViews }
}

type Query = (sql: string, args?: readonly (string | bigint)[]) => Promise<Row[]>

async function readTable(query: Query, row: Row): Promise<TableFacts> {
  const name = String(row['name'])
  const isTable = row['type'] === 'table'
  // Only preparing a SELECT shows that a view is broken.
  await query(`select * from ${quoted(name)} limit 0`)
  const table: TableFacts = {
    name,
    kind: isTable ? 'table' : 'view',
    isStrict: row['strict'] !== 0n,
    hasRowid: isTable && row['wr'] === 0n,
    columns: await readColumns(query, name),
    indexes: isTable ? await readIndexes(query, name) : [],
    plainIndexes: isTable ? await readPlainIndexes(query, name) : [],
    uniqueIndexes: isTable ? await readUniqueIndexes(query, name) : [],
    foreignKeys: isTable ? await readForeignKeys(query, name) : [],
    createSql: isTable ? await readCreateSql(query, name) : undefined,
  }
  return isTable ? withSamples(query, table) : table
}

async function readCreateSql(query: Query, table: string): Promise<string | undefined> {
  const [row] = await query(`select sql from sqlite_schema where type = 'table' and name = ?`, [
    table,
  ])
  return typeof row?.['sql'] === 'string' ? row['sql'] : undefined
}

async function readColumns(query: Query, table: string): Promise<readonly ColumnFacts[]> {
  const rows = await query(
    `select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)
    where hidden <> 1 order by cid`,
    [table],
  )
  return Promise.all(
    rows.map(async (column) => ({
      name: String(column['name']),
      declaredType: String(column['type']),
      isNotNull: column['notnull'] !== 0n,
      defaultText: column['dflt_value'] === null ? undefined : String(column['dflt_value']),
      keyPosition: Number(column['pk']),
      isGenerated: column['hidden'] !== 0n,
      collation: await readCollation(query, table, String(column['name'])),
      sample: undefined,
    })),
  )
}

async function readIndexes(query: Query, table: string): Promise<readonly IndexFacts[]> {
  const rows = await query(
    `select i.name as "index", i.origin, c.name, c.coll
    from pragma_index_list(?) i, pragma_index_xinfo(i.name) c
    where i."unique" = 1 and i.partial = 0 and c.key = 1 order by i.seq desc, c.seqno`,
    [table],
  )
  const indexes = Map.groupBy(rows, (row) => row['index']).values()
  return [...indexes].flatMap((columns) => {
    // An expression has no name.
    if (columns.some((column) => column['name'] === null)) return []
    return {
      isPrimaryKey: columns[0]?.['origin'] === 'pk',
      columns: columns.map((column) => ({
        name: String(column['name']),
        collation: String(column['coll']),
      })),
    }
  })
}

async function readPlainIndexes(query: Query, table: string): Promise<readonly PlainIndexFacts[]> {
  const rows = await query(plainIndexesQuery, [table])
  return plainIndexesOf(
    rows.map(({ index, name }) => ({
      index: String(index),
      name: name === null ? null : String(name),
    })),
  )
}

async function readUniqueIndexes(query: Query, table: string): Promise<readonly UniqueIndex[]> {
  const rows = await query(uniqueIndexesQuery, [table])
  return uniqueIndexesOf(
    rows.map(({ index, partial, sql, name, collation }) => ({
      index: String(index),
      partial: partial === 0n ? 0n : 1n,
      sql: sql === null ? null : String(sql),
      name: name === null ? null : String(name),
      collation: String(collation),
    })),
  )
}

async function readForeignKeys(query: Query, table: string): Promise<readonly ForeignKeyFacts[]> {
  const rows = await query(
    `select id, "table", "from", "to", on_delete, on_update from pragma_foreign_key_list(?)
    order by id desc, seq`,
    [table],
  )
  return [...Map.groupBy(rows, (row) => row['id']).values()].map((columns) => ({
    table: String(columns[0]?.['table'] ?? ''),
    columns: columns.map((column) => ({
      from: String(column['from']),
      to: column['to'] === null ? null : String(column['to']),
    })),
    onDelete: String(columns[0]?.['on_delete'] ?? ''),
    onUpdate: String(columns[0]?.['on_update'] ?? ''),
  }))
}

/** No pragma returns the collation of a column, but UNION uses that of its first SELECT. */
async function readCollation(query: Query, table: string, column: string): Promise<string> {
  const from = `select ${quoted(column)} from ${quoted(table)} where 0 union select 'a' union select`
  const [counts] = await query(
    `select (select count(*) from (${from} 'A')) as cased, (select count(*) from (${from} 'a ')) as padded`,
  )
  if (counts?.['cased'] === 1n) return 'NOCASE'
  return counts?.['padded'] === 1n ? 'RTRIM' : 'BINARY'
}

async function withSamples(query: Query, table: TableFacts): Promise<TableFacts> {
  const { name, columns } = table
  const samples = samplesOf(columns, await sampleValues(query, table))
  const from = quoted(name)
  const key = hasRowidAlias(table) ? primaryKeyOf(table)[0] : undefined
  const [range] =
    key === undefined
      ? []
      : await query(
          `select (select min(${quoted(key)}) from ${from}) as low, (select max(${quoted(key)}) from ${from}) as high`,
        )
  return {
    ...table,
    columns: columns.map((column, index) => {
      const sample = samples[index]
      const { low, high } = range ?? {}
      const isKnown = column.name === key && typeof low === 'bigint' && typeof high === 'bigint'
      if (sample === undefined || !isKnown) return { ...column, sample }
      return { ...column, sample: { ...sample, integers: { min: low, max: high } } }
    }),
  }
}

async function sampleValues(query: Query, table: TableFacts): Promise<readonly unknown[]> {
  const from = quoted(table.name)
  const [size] = await query(
    `select count(*) as n from (select 1 from ${from} limit ${maxRowsRead + 1})`,
  )
  const rowid = rowidNameOf(table)
  const order = rowid === undefined ? primaryKeyOf(table) : [rowid]
  const descending = order.map((column) => `${quoted(column)} desc`).join(', ')
  const isSmall = Number(size?.['n'] ?? 0) <= maxRowsRead || order.length === 0
  const source = isSmall
    ? from
    : `(select * from (select * from ${from} limit ${endRows})
      union all select * from (select * from ${from} order by ${descending} limit ${endRows}))`
  const [row = {}] = await query(numbered(sampleSql(table.columns, source)))
  return Object.values(row)
}

/** Expressions as column names might not be unique. */
function numbered(sql: string): string {
  return `with s as (${sql}) select * from s`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
