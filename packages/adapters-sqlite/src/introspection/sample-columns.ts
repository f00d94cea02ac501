/**
 * @module Looks at what is stored: SQLite keeps any value in any column, so a declared type promises nothing. Columns that
 * hold what they should can be compared as they are, through their indexes.
 */
import Database from 'better-sqlite3'
import { affinityOf, type DeclaredTypeName, declaredType } from '../declared-type.ts'
import type { ColumnSample } from './schema-facts.ts'

export interface SampledTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly declaredType: string }[]
  /** What the rows are stored in the order of: the rowid, or the key; empty when neither has a name. */
  readonly order: readonly string[]
  /** First columns of indexes over all rows: their smallest and largest value cost nothing to find. */
  readonly indexed: ReadonlySet<string>
}

/** A table with more rows than this, or more values in all, is not read as a whole. */
const maxRowsRead = 200_000
const maxValuesRead = 4_000_000

/** Rows at either end of a larger one. */
const endRows = 1_000

/**
 * One sample for each column.
 *
 * @param isLate when true, also a smaller table is looked at only at its ends.
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

/** Counts no further than needed. */
function hasMoreRows(database: Database.Database, from: string, count: number): boolean {
  const sql = `select count(*) from (select 1 from ${from} limit ${count + 1})`
  return Number(database.prepare<[], bigint>(sql).pluck().get() ?? 0n) > count
}

function sample(
  database: Database.Database,
  columns: SampledTable['columns'],
  from: string,
): readonly ColumnSample[] {
  const outputs = columns.flatMap(({ name, declaredType: declaration }) => {
    const column = quoted(name)
    const integer = `case when typeof(${column}) = 'integer' then ${column} end`
    const isOther = otherwise(declaration, column)
    return [`max(${column} is not null and (${isOther}))`, `min(${integer})`, `max(${integer})`]
  })
  const values = valuesOf(database, `select ${outputs.join(', ')} from ${from}`)
  if (values === undefined) return columns.map(() => columnSample(false, undefined, undefined))
  return columns.map((_column, index) => {
    const [isOther, min, max] = values.slice(index * 3)
    return columnSample(isOther !== 1n, min, max)
  })
}

function indexRange(database: Database.Database, from: string, name: string): ColumnSample {
  const column = quoted(name)
  const sql = `select (select min(${column}) from ${from}), (select max(${column}) from ${from})`
  const [min, max] = valuesOf(database, sql) ?? []
  return columnSample(true, min, max)
}

/** Undefined where the values of a generated column cannot be computed: nothing is known then. */
function valuesOf(database: Database.Database, sql: string): readonly unknown[] | undefined {
  try {
    return database.prepare<[], readonly unknown[]>(sql).raw().get()
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
}

function columnSample(isCanonical: boolean, min: unknown, max: unknown): ColumnSample {
  const integers = typeof min === 'bigint' && typeof max === 'bigint' ? { min, max } : undefined
  return { isCanonical, integers }
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

/** SQL that is true of a value that is not stored as this adapter stores the type. */
function otherwise(declaration: string, column: string): string {
  const classes = (...names: readonly string[]) =>
    `typeof(${column}) not in (${names.map((name) => `'${name}'`).join(', ')})`
  const isText = affinityOf(declaration) === 'text'
  const name: DeclaredTypeName = declaredType(declaration).name
  switch (name) {
    case 'bool':
      return `${classes('integer')} or ${column} not in (0, 1)`
    case 'int2':
    case 'int4':
    case 'int8':
      return classes('integer')
    case 'float8':
      return classes('real', 'integer')
    case 'numeric':
      return isText ? classes('integer', 'real', 'text') : classes('integer', 'real')
    case 'text':
    case 'varchar':
    case 'bpchar':
      return classes('text')
    case 'jsonb':
      return classes('text', 'integer', 'real')
    case 'bytea':
      return classes('blob')
    case 'uuid':
      return `${classes('text')} or length(${column}) <> 36 or lower(${column}) <> ${column}`
    case 'date':
      return `${classes('text')} or date(${column}) is not ${column}`
    case 'time':
      return `${classes('text')} or ${otherClock(column, 'time', 8)}`
    case 'timestamp':
      return `${classes('text')} or ${otherClock(column, 'datetime', 19)}`
    case 'timestamptz':
      return `${classes('text')} or ${column} not glob '*+00'
        or ${otherClock(`substr(${column}, 1, length(${column}) - 3)`, 'datetime', 19)}`
  }
}

/** Not what `normal` makes of its first characters, and behind them one to six digits without zeros at the end. */
function otherClock(text: string, normal: 'time' | 'datetime', length: number): string {
  const clock = `substr(${text}, 1, ${length})`
  const fraction = `substr(${text}, ${length + 1})`
  return `${normal}(${clock}) is not ${clock} or ${fraction} <> '' and (
    ${fraction} not glob '.[0-9]*' or substr(${fraction}, 2) glob '*[^0-9]*'
    or ${fraction} glob '*0' or length(${fraction}) > 7)`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
