/** @module Prints queries by kind: a dialect has a function for each kind, and a missing function is a compile error. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'
import type { CommonTable, CteId, Query } from '../bind/tree/bound-query.ts'
import { cteName } from './names.ts'
import type { PrintedQuery } from './printer-context.ts'
import { columnNames } from './query-parts.ts'
import { commaList, type Sql, sql } from './sql-writer.ts'

/** A printer for each kind of query; that of a SELECT prints its outputs in steps. */
export type QueryPrinters<Context, Form, Printed extends PrintedQuery<unknown>> = {
  readonly [Kind in Query['kind']]: (
    query: Extract<Query, { kind: Kind }>,
    context: Context,
    form: Form,
  ) => Kind extends 'select' ? Steps<Printed> : Printed
}

/** Without the WITH part. */
export function* printQueryBody<Context, Form, Printed extends PrintedQuery<unknown>>(
  query: Query,
  context: Context,
  form: Form,
  printers: QueryPrinters<Context, Form, Printed>,
): Steps<Printed> {
  switch (query.kind) {
    case 'select':
      return yield* printers.select(query, context, form)
    case 'setOperation':
      return printers.setOperation(query, context, form)
    case 'values':
      return printers.values(query, context, form)
  }
}

/** `with recursive q1(c1, c2) as (...)`; undefined when there is none. */
export function printWith(
  ctes: readonly CommonTable[],
  printCte: (cte: CommonTable) => Sql,
): Sql | undefined {
  if (ctes.length === 0) return undefined
  const printed = ctes.map(printCte)
  const word = ctes.some((cte) => cte.isRecursive) ? sql`with recursive` : sql`with`
  return sql`${word} ${commaList(printed)}`
}

/** `q1(c1, c2)` */
export function cteHead(id: CteId, columns: readonly unknown[]): Sql {
  return columns.length === 0 ? cteName(id) : sql`${cteName(id)}(${columnNames(columns)})`
}

/** The columns of a WITH query that is already printed. */
export function columnsOfCte<Properties>(
  id: CteId,
  { ctes }: { readonly ctes: ReadonlyMap<CteId, readonly Properties[]> },
): readonly Properties[] {
  const columns = ctes.get(id)
  if (columns === undefined) throw new GatewayError('internal', 'an unknown WITH query')
  return columns
}
