/** @module The source of an INSERT: rows in the form of the statement itself, or a query. */

import { GatewayError } from '@engine/core/adapter'
import type { Column } from '@engine/core/catalog'
import { columnAt, columnName, commaList, repeatedRows, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  type InsertWrite,
  type Query,
  readsTable,
  rowsOf,
} from '@engine/core/tree'
import { aliasOf, type PrintContext, refuse } from '../print-context.ts'
import { propertiesOf } from '../value-properties.ts'
import { defaultExpression } from './default-cell.ts'
import { changesValues, storedExactly } from './stored-exactly.ts'
import { isNumbered, mistakesNull, neverNull, printCell } from './stored-value.ts'
import { readsAny } from './write-plan.ts'

/** The rows after `insert into t (columns)`. */
export interface InsertRows {
  readonly columns: readonly Column[]
  readonly sql: Sql
}

export function printRows(write: InsertWrite, context: PrintContext): InsertRows {
  const { source } = write
  if (source.kind === 'defaults') return { columns: [], sql: sql`values ()` }
  if (source.kind === 'query' || readsWritten(write)) {
    const { columns, query, isGuarded } = sourceQuery(write, context)
    // After UNION, the server cannot resolve the row of RETURNING inside subqueries of subqueries.
    const isStoredAsItIs =
      !isGuarded.includes(true) && !columns.some((each) => changesValues(each, context))
    if (query.kind === 'select' && isStoredAsItIs) {
      return { columns, sql: context.printQuery(query, context, 'value').sql }
    }
    const alias = aliasOf(context.nextId(), context)
    const printed = context.printQuery(inOrder(query), context, 'value').sql
    const values = columns.map((column, index) => {
      const value = storedExactly(column, sql`${alias}.${columnName(index)}`, context)
      return isGuarded[index] === true ? neverNull(value) : value
    })
    return { columns, sql: sql`select ${commaList(values)} from (${printed}) as ${alias}` }
  }
  const columns = columnsOf(write)
  const printRow = (row: readonly Cell[]) => {
    const cells = columns.map((column, index) => printCell(column, cellAt(row, index), context))
    return sql`(${commaList(cells)})`
  }
  const rows =
    source.kind === 'repeated'
      ? repeatedRows(source.shapes.map(printRow), source.rows)
      : commaList(source.rows.map(printRow))
  return { columns, sql: sql`values ${rows}` }
}

function columnsOf({ columns, target }: InsertWrite): readonly Column[] {
  return columns.map((ordinal) => columnAt(target.table, ordinal))
}

type Cell = Expression | { readonly kind: 'default' }

function cellAt(row: readonly Cell[], index: number): Cell {
  const cell = row[index]
  if (cell === undefined) throw new GatewayError('internal', 'a row is too short')
  return cell
}

/** VALUES may not read the table that is written, and an INSERT has no WITH before it. */
export function readsWritten({ source, target, ctes }: InsertWrite): boolean {
  if (source.kind !== 'values') return false
  return source.rows.some((row) =>
    row.some(
      (cell) => cell.kind !== 'default' && (readsTable(cell, target.table) || readsAny(cell, ctes)),
    ),
  )
}

/** The rows of an INSERT as a query, including its WITH. */
export interface SourceQuery {
  readonly query: Query
  /** The columns for which the rows have values, in their order; without columns that are DEFAULT in all rows. */
  readonly columns: readonly Column[]
  /** By column: NULL must be refused, as the server would store another value for it. */
  readonly isGuarded: readonly boolean[]
  /** By column: NULL means DEFAULT, an automatic number. */
  readonly isNumbered: readonly boolean[]
  /** Undefined where only the database knows it. */
  readonly rowCount: number | undefined
}

export function sourceQuery(write: InsertWrite, context: PrintContext): SourceQuery {
  const { source, ctes } = write
  const all = columnsOf(write)
  switch (source.kind) {
    case 'query':
      return {
        query: { ...source.query, ctes: [...ctes, ...source.query.ctes] },
        columns: all,
        isGuarded: all.map(mistakesNull),
        isNumbered: all.map(() => false),
        rowCount: undefined,
      }
    case 'repeated':
      return sourceQuery({ ...write, source: { kind: 'values', rows: rowsOf(source) } }, context)
    case 'values': {
      const cellsOf = (index: number) => source.rows.map((row) => cellAt(row, index))
      const places = [...all.keys()].filter((index) =>
        cellsOf(index).some(({ kind }) => kind !== 'default'),
      )
      const columns = places.flatMap((index) => all[index] ?? [])
      const hasDefaults = (place: number) =>
        cellsOf(places[place] ?? 0).some(({ kind }) => kind === 'default')
      const cells = places.map((index, place) =>
        withoutDefaults(columns[place], cellsOf(index), context),
      )
      return {
        query: valuesQuery(
          columns,
          source.rows.map((_, row) => rowOf(cells, row)),
          ctes,
        ),
        columns,
        isGuarded: columns.map((column, place) => mistakesNull(column) && !hasDefaults(place)),
        isNumbered: columns.map((column, place) => isNumbered(column) && hasDefaults(place)),
        rowCount: source.rows.length,
      }
    }
    case 'defaults':
      return {
        query: valuesQuery([], [[]], ctes),
        columns: [],
        isGuarded: [],
        isNumbered: [],
        rowCount: 1,
      }
  }
}

function rowOf(cells: readonly (readonly Expression[])[], row: number): readonly Expression[] {
  return cells.flatMap((column) => column[row] ?? [])
}

/** Are there rows with a value beside rows with a DEFAULT that only the server knows? Then they have no source query. */
export function mixesDefaults(
  { source, columns, target }: InsertWrite,
  context: PrintContext,
): boolean {
  if (source.kind !== 'values' && source.kind !== 'repeated') return false
  const rows = rowsOf(source)
  return columns.some((ordinal, index) => {
    const column = columnAt(target.table, ordinal)
    const cells = rows.map((row) => cellAt(row, index))
    const given = cells.flatMap((cell) => (cell.kind === 'default' ? [] : [cell]))
    if (given.length === 0 || given.length === cells.length) return false
    return isNumbered(column)
      ? given.some((cell) => propertiesOf(cell, context).isNullable)
      : defaultExpression(column, context) === undefined
  })
}

/** The cells of a column; some of them are DEFAULT. */
function withoutDefaults(
  column: Column | undefined,
  cells: readonly Cell[],
  context: PrintContext,
): readonly Expression[] {
  if (column === undefined) return []
  const hasDefaults = cells.some(({ kind }) => kind === 'default')
  return cells.map((cell): Expression => {
    if (cell.kind !== 'default') {
      if (hasDefaults && isNumbered(column) && propertiesOf(cell, context).isNullable) {
        return refuse(`DEFAULT beside other values of the column ${column.name}`, cell.position)
      }
      return cell
    }
    if (isNumbered(column)) return { kind: 'constant', value: null, type: column.type }
    return (
      defaultExpression(column, context) ??
      refuse(`DEFAULT beside other values of the column ${column.name}`, undefined)
    )
  })
}

function valuesQuery(
  columns: readonly Column[],
  rows: readonly (readonly Expression[])[],
  ctes: Query['ctes'],
): Query {
  return {
    kind: 'values',
    ctes,
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows,
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

/** A limit keeps the order of rows in a derived table. */
export function inOrder(query: Query): Query {
  if (query.orderBy.length === 0 || query.limit !== undefined) return query
  const limit = { count: undefined, max: Number.MAX_SAFE_INTEGER, withTies: false }
  return { ...query, limit }
}
