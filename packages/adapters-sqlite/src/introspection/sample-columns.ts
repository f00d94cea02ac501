/**
 * @module Samples stored values: SQLite stores any value in any column, so a declared type guarantees nothing. Columns with the
 * expected values can be compared directly, through their indexes.
 */
import Database from 'better-sqlite3'
import { columnSample, sampleSql, samplesOf } from './sample-sql.ts'
import type { ColumnSample } from './schema-facts.ts'

export interface SampledTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly declaredType: string }[]
  /** The storage order of rows: the rowid, or the key; empty when neither has a name. */
  readonly order: readonly string[]
  /** First columns of indexes over all rows: their smallest and largest value are found at no cost. */
  readonly indexed: ReadonlySet<string>
}

/** A table with more rows than this, or more values in all, is not read completely. */
const maxRowsRead = 200_000
const maxValuesRead = 4_000_000

/** The rows sampled at either end of a larger table. */
const endRows = 1_000

/**
 * One sample for each column.
 *
 * @param isLate when true, only the ends of a smaller table are sampled, too.
 */
export function sampleColumns(
  database: Database.Database,
  table: SampledTable,
  isLate: boolean,
): readonly ColumnSample[] {
  const { columns, order } = table
  const from = quoted(table.name)
  const maxRows = Math.min(maxRowsRead, Math.floor(maxValuesRead / columns.length))
  if (!isLate && !hasMoreRows(database, from, maxRows)) return sample(database, columns, from)
  const ends = order.map(quoted)
  const first = sample(database, columns, `(select * from ${from} limit ${endRows})`)
  const descending = ends.map((name) => `${name} desc`).join(', ')
  const last =
    ends.length === 0
      ? first
      : sample(database, columns, `(select * from ${from} order by ${descending} limit ${endRows})`)
  return columns.map(({ name }, index) => {
    const range = table.indexed.has(name) ? indexRange(database, from, name) : undefined
    return united([first[index], last[index], range])
  })
}

/** Counts no more rows than needed. */
function hasMoreRows(database: Database.Database, from: string, count: number): boolean {
  const sql = `select count(*) from (select 1 from ${from} limit ${count + 1})`
  return Number(database.prepare<[], bigint>(sql).pluck().get() ?? 0n) > count
}

function sample(
  database: Database.Database,
  columns: SampledTable['columns'],
  from: string,
): readonly ColumnSample[] {
  return samplesOf(columns, valuesOf(database, sampleSql(columns, from)))
}

function indexRange(database: Database.Database, from: string, name: string): ColumnSample {
  const column = quoted(name)
  const sql = `select (select min(${column}) from ${from}), (select max(${column}) from ${from})`
  const [min, max] = valuesOf(database, sql) ?? []
  return columnSample(true, min, max)
}

/** Undefined where the values of a generated column cannot be computed: then the result is unknown. */
function valuesOf(database: Database.Database, sql: string): readonly unknown[] | undefined {
  try {
    return database.prepare<[], readonly unknown[]>(sql).raw().get()
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
}

function united(samples: readonly (ColumnSample | undefined)[]): ColumnSample {
  const known = samples.filter((each) => each !== undefined)
  const ranges = known.map(({ integers }) => integers).filter((each) => each !== undefined)
  const limits = ranges.flatMap(({ min, max }) => [min, max]).toSorted((a, b) => (a < b ? -1 : 1))
  return columnSample(
    known.every(({ isCanonical }) => isCanonical),
    limits.at(0),
    limits.at(-1),
  )
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
