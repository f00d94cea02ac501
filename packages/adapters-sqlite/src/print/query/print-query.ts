/** @module Queries: their WITH part, and their kind. */

import {
  columnNames,
  commaList,
  cteHead,
  ownLevel,
  printQueryBody,
  printWith,
  type QueryPrinters,
  runSteps,
  type Sql,
  type Steps,
  sql,
} from '@engine/core/print'
import type { CommonTable, Query, ValuesQuery } from '@engine/core/tree'
import { closedQuery } from '../expanded-size.ts'
import {
  anyValue,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  print,
  refuse,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { printRecursiveUnion } from './print-recursive.ts'
import { printSelect } from './print-select.ts'
import { printSetOperation } from './print-set-operation.ts'

export function printQuery(query: Query, context: PrintContext, form: OutputForm): PrintedQuery {
  return runSteps(printQueryInSteps(query, context, form))
}

/** The same: the outputs of a SELECT in steps. */
export function* printQueryInSteps(
  query: Query,
  context: PrintContext,
  form: OutputForm,
): Steps<PrintedQuery> {
  const prefix = printCtes(query.ctes, context)
  const { sql: body, columns } = yield* printQueryBody(query, context, form, printers)
  return { sql: ownLevel(prefix === undefined ? body : sql`${prefix} ${body}`), columns }
}

const printers: QueryPrinters<PrintContext, OutputForm, PrintedQuery> = {
  select: printSelect,
  setOperation: printSetOperation,
  values: printValues,
}

function printValues(query: ValuesQuery, context: PrintContext): PrintedQuery {
  if (query.orderBy.length > 0) refuse('ORDER BY of VALUES', undefined)
  const rows = query.rows.map((row) => sql`(${commaList(row.map((cell) => print(cell, context)))})`)
  // WITH names them: where a value refers to an outer row, SQLite loses the column names of VALUES.
  const names = columnNames(query.columns)
  const named = sql`with v(${names}) as (values ${commaList(rows)}) select * from v`
  const select = sql`select ${names} from (${named})`
  return {
    sql: sql`${select}${printLimit(query, context)}`,
    columns: query.columns.map(() => anyValue),
  }
}

/** Undefined when there is none. */
export function printCtes(ctes: readonly CommonTable[], context: PrintContext): Sql | undefined {
  return printWith(ctes, (cte) => printCte(cte, context))
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
  return sql`${cteHead(id, printed.columns)} as ${hint}(${printed.sql})`
}
