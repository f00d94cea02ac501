/** @module The rows of a query as one value. */

import { GatewayError } from '@engine/core/adapter'
import { clauses, sql } from '@engine/core/print'
import type { Query } from '@engine/core/tree'
import { printSortKeys } from '../expression/comparison/print-sort-keys.ts'
import { printFilter } from '../expression/print-filter.ts'
import type { PrintContext, PrintedQuery } from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { printRow } from './json-rows.ts'
import { printFrom } from './print-from.ts'
import { printHaving } from './print-having.ts'

/**
 * A query of one row and one column: the JSON array of the rows, or NULL where there are none. For queries that `canBeListed` of
 * the lowerings accepts.
 */
export function printList(query: Query, context: PrintContext): PrintedQuery {
  if (query.kind !== 'select') throw new GatewayError('internal', 'rows of this query have no list')
  const from = printFrom(query.from, context)
  const row = printRow(query.outputs, context)
  const having = printHaving(query, context)
  const rest = clauses(
    sql`from ${from}`,
    query.where && sql`where ${printFilter(query.where, context)}`,
    having && sql`having ${having}`,
  )
  const limit = printLimit(query)
  if (query.isAggregated) {
    return { ...row, sql: sql`select json_array(${row.sql}) ${rest}${limit}` }
  }
  const keys = query.orderBy.map((key) => {
    const { expression } = key
    const shown = expression.kind === 'output' ? query.outputs[expression.index] : expression
    if (shown === undefined) throw new GatewayError('internal', 'a sort key is missing')
    return { ...key, expression: shown }
  })
  const order = printSortKeys(keys, context)
  const sorted = order === undefined ? sql`` : sql` order by ${order}`
  return { ...row, sql: sql`select json_arrayagg(${row.sql}${sorted}${limit}) ${rest}` }
}
