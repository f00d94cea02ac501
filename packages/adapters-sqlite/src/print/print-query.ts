/** @module Queries: their WITH part, and what kind they are. */
import {
  type CommonTable,
  columnName,
  cteName,
  joinSql,
  ownLevel,
  type Query,
  type Sql,
  sql,
  unreachable,
  type ValuesQuery,
} from '@engine/core/adapter'
import {
  anyValue,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  print,
  refuse,
  type ValueProperties,
} from './print-context.ts'
import { printLimit } from './print-limit.ts'
import { printRecursiveUnion } from './print-recursive.ts'
import { printSelect } from './print-select.ts'
import { printSetOperation } from './print-set-operation.ts'
import { closedQuery } from './weight.ts'

export function printQuery(query: Query, context: PrintContext, form: OutputForm): PrintedQuery {
  const prefix = printCtes(query.ctes, context)
  const { sql: body, columns } = printBody(query, context, form)
  return { sql: ownLevel(prefix === undefined ? body : sql`${prefix} ${body}`), columns }
}

function printBody(query: Query, context: PrintContext, form: OutputForm): PrintedQuery {
  switch (query.kind) {
    case 'select':
      return printSelect(query, context, form)
    case 'setOperation':
      return printSetOperation(query, context)
    case 'values':
      return printValues(query, context)
    default:
      return unreachable(query)
  }
}

function printValues(query: ValuesQuery, context: PrintContext): PrintedQuery {
  if (query.orderBy.length > 0) refuse('ORDER BY of VALUES', undefined)
  const rows = query.rows.map(
    (row) =>
      sql`(${joinSql(
        row.map((cell) => print(cell, context)),
        ', ',
      )})`,
  )
  // Named by WITH: where a value refers to an outer row, SQLite forgets the names of VALUES.
  const names = joinSql(
    query.columns.map((_, index) => columnName(index)),
    ', ',
  )
  const named = sql`with v(${names}) as (values ${joinSql(rows, ', ')}) select * from v`
  const select = sql`select ${names} from (${named})`
  return {
    sql: sql`${select}${printLimit(query, context)}`,
    columns: query.columns.map(() => anyValue),
  }
}

/** `with recursive q1(c1, c2) as (...)`; undefined when there is none. */
export function printCtes(ctes: readonly CommonTable[], context: PrintContext): Sql | undefined {
  if (ctes.length === 0) return undefined
  const printed = ctes.map((cte) => printCte(cte, context))
  const word = ctes.some((cte) => cte.isRecursive) ? sql`with recursive` : sql`with`
  return sql`${word} ${joinSql(printed, ', ')}`
}

function printCte(cte: CommonTable, context: PrintContext): Sql {
  const { id, query, isRecursive, materialized } = cte
  if (query.kind === 'insert' || query.kind === 'update' || query.kind === 'delete') {
    return refuse('a data-modifying statement in WITH', undefined)
  }
  const printed = isRecursive
    ? printRecursiveUnion(cte, context)
    : closedQuery(query, printQuery(query, context, 'stored'))
  context.ctes.set(id, printed.columns)
  const hint =
    materialized === undefined ? sql`` : materialized ? sql`materialized ` : sql`not materialized `
  return sql`${cteName(id)}${columnNames(printed.columns)} as ${hint}(${printed.sql})`
}

function columnNames(columns: readonly ValueProperties[]): Sql {
  if (columns.length === 0) return sql``
  return sql`(${joinSql(
    columns.map((_, index) => columnName(index)),
    ', ',
  )})`
}
