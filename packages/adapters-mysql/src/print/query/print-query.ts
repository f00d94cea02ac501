/** @module Queries: their WITH part, and their kind. */

import {
  columnName,
  commaList,
  cteHead,
  joinSql,
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
import {
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  refuse,
  requireApart,
  type ValueProperties,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { commonProperties, propertiesOf } from '../value-properties.ts'
import { printInForm } from './output-form.ts'
import { printList } from './print-list.ts'
import { printRecursiveUnion } from './print-recursive.ts'
import { printSelect } from './print-select.ts'
import { printSetOperation } from './print-set-operation.ts'
import { wholeText } from './whole-text.ts'

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
  const { sql: body, columns } = yield* printBody(query, context, form)
  return { sql: ownLevel(prefix === undefined ? body : sql`${prefix} ${body}`), columns }
}

const printers: QueryPrinters<PrintContext, OutputForm, PrintedQuery> = {
  select: printSelect,
  setOperation: printSetOperation,
  values: printValues,
}

function* printBody(query: Query, context: PrintContext, form: OutputForm): Steps<PrintedQuery> {
  if (form === 'list') return printList(query, context)
  return yield* printQueryBody(query, context, form, printers)
}

/**
 * One SELECT for each row: in the server's own VALUES the type of a parameter depends on the values at preparation, and the
 * columns have no names.
 */
function printValues(query: ValuesQuery, context: PrintContext, form: OutputForm): PrintedQuery {
  if (query.orderBy.length > 0) return refuse('ORDER BY of VALUES', undefined)
  const columns = query.columns.map((_, index) => columnProperties(query, index, form, context))
  const rows = query.rows.map((row) => {
    const cells = row.map((cell, index) => {
      const own = columns[index]?.scale === undefined ? textual(form) : form
      const value = query.rows.length > 1 ? wholeText(cell, context) : cell
      return sql`${printInForm(value, context, own)} as ${columnName(index)}`
    })
    return sql`select ${commaList(cells)}`
  })
  return { sql: sql`${joinSql(rows, ' union all ')}${printLimit(query)}`, columns }
}

function columnProperties(
  { rows }: ValuesQuery,
  index: number,
  form: OutputForm,
  context: PrintContext,
): ValueProperties {
  const cells = rows.flatMap((row) => row[index] ?? [])
  const properties = commonProperties(cells.map((cell) => propertiesOf(cell, context)))
  return form === 'stored' || form === 'value' ? properties : { ...properties, scale: undefined }
}

/** Decimals with different scales, in a form that can be one column. */
function textual(form: OutputForm): OutputForm {
  return form === 'stored' || form === 'value' ? 'text' : form
}

/** Undefined when there is none. */
export function printCtes(ctes: readonly CommonTable[], context: PrintContext): Sql | undefined {
  return printWith(ctes, (cte) => printCte(cte, context))
}

/** The server may materialize a WITH query or merge it: its rows are the same. */
function printCte(cte: CommonTable, context: PrintContext): Sql {
  const { id, query, isRecursive } = cte
  if (query.kind === 'insert' || query.kind === 'update' || query.kind === 'delete') {
    return refuse('a data-modifying statement in WITH', undefined)
  }
  requireApart(query, 'a WITH query', context)
  const printed = isRecursive
    ? printRecursiveUnion(cte, context)
    : printQuery(query, context, 'stored')
  context.ctes.set(id, printed.columns)
  return sql`${cteHead(id, printed.columns)} as (${printed.sql})`
}
