/** @module Recursive WITH queries: a seed, and a plain SELECT that is asked for every row found. */
import {
  type CommonTable,
  type CteId,
  type FromItem,
  type Query,
  type SelectQuery,
  sql,
  visitExpression,
  visitQuery,
} from '@engine/core'
import {
  anyValue,
  classOfType,
  type PrintContext,
  type PrintedQuery,
  refuse,
} from './print-context.ts'
import { printSelect } from './print-select.ts'
import { hasTail } from './query-tail.ts'
import { comparesNatively } from './type-class.ts'

/**
 * SQLite takes rows out of its queue one by one, PostgreSQL a whole generation at a time: nothing in the recursive part
 * may look at more than one row.
 */
export function printRecursiveUnion(
  cte: CommonTable,
  query: Query,
  context: PrintContext,
): PrintedQuery {
  if (query.kind !== 'setOperation' || query.operator !== 'union') {
    return refuse('a recursive query that is no UNION', undefined)
  }
  if (query.ctes.length > 0 || hasTail(query)) {
    return refuse('WITH, ORDER BY or LIMIT of a recursive query', undefined)
  }
  const { right } = query
  if (right.kind !== 'select' || right.ctes.length > 0 || hasTail(right) || isWide(right)) {
    return refuse('this form of the recursive part of a query', undefined)
  }
  const classes = query.columns.map(({ type }) => classOfType(type, context))
  if (!query.all && !classes.every(comparesNatively)) {
    return refuse('a recursive UNION without ALL over values of this type', undefined)
  }
  requireDirect(cte.id, right)
  const seed = context.printQuery(query.left, context, 'value')
  const isPlain =
    query.left.kind === 'select' && !hasTail(query.left) && query.left.ctes.length === 0
  const columns = query.columns.map(() => anyValue)
  context.ctes.set(cte.id, columns)
  const step = printSelect(right, context, 'value').sql
  const word = query.all ? sql`union all` : sql`union`
  const start = isPlain ? seed.sql : sql`select * from (${seed.sql})`
  return { sql: sql`${start} ${word} ${step}`, columns }
}

function isWide(query: SelectQuery): boolean {
  if (query.isAggregated || query.distinct !== 'none') return true
  let hasWindow = false
  for (const output of query.outputs) {
    visitExpression(output, {
      expression: (each) => {
        if (each.kind === 'window') hasWindow = true
      },
    })
  }
  return hasWindow
}

/** SQLite finds the recursive reference only in the FROM of the recursive part itself. */
function requireDirect(cte: CteId, query: SelectQuery): void {
  let [all, direct] = [0, 0]
  visitQuery(query, {
    fromItem: (item) => {
      if (item.kind === 'cte' && item.cte === cte) all += 1
    },
  })
  const look = (item: FromItem): void => {
    if (item.kind === 'join') {
      look(item.left)
      look(item.right)
    } else if (item.kind === 'cte' && item.cte === cte) direct += 1
  }
  query.from.forEach(look)
  if (all !== direct || direct !== 1) {
    refuse('a recursive reference inside a subquery', undefined)
  }
}
