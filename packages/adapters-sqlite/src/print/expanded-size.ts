/**
 * @module The size of an expression after SQLite has replaced columns of derived tables by their expressions. SQLite does this
 * while it prepares a statement: `c || c` in thirty derived tables would become 2^30 parts, and could not be interrupted.
 */

import { type Sql, sql } from '@engine/core/print'
import { type Expression, type Query, visitExpression } from '@engine/core/tree'
import type { PrintContext, PrintedQuery } from './print-context.ts'

/** Derived columns with more parts are computed in their own query. */
const mostParts = 100

export function expandedSizeOf(expression: Expression, { relations }: PrintContext): number {
  let expandedSize = 0
  visitExpression(expression, {
    expression: (each) => {
      const column = each.kind === 'column' ? relations.get(each.relation) : undefined
      expandedSize +=
        (each.kind === 'column' ? column?.column(each.column).expandedSize : undefined) ?? 1
    },
  })
  return expandedSize
}

/** With a LIMIT that keeps SQLite from flattening the query, where its columns are large. */
export function closedQuery(query: Query, printed: PrintedQuery): PrintedQuery {
  if (!printed.columns.some(({ expandedSize = 1 }) => expandedSize > mostParts)) return printed
  const hasLimit = query.limit !== undefined || query.offset !== undefined
  const text: Sql = hasLimit ? printed.sql : sql`${printed.sql} limit -1`
  return { sql: text, columns: printed.columns.map((each) => ({ ...each, expandedSize: 1 })) }
}
