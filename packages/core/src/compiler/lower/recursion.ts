/** @module Recursive WITH queries in the form that every database has: a seed and a plain SELECT. */
import type { CommonTable, CteId, FromItem, Query, SelectQuery } from '../bind/tree/bound-query.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { visitExpression, visitQuery } from '../bind/tree/visit-query.ts'

/** The two sides of a recursive query. */
export interface Recursion {
  readonly seed: Query
  /** Its FROM contains the recursive reference, once. */
  readonly step: SelectQuery
  /** True for UNION ALL. */
  readonly all: boolean
}

/**
 * The parts of a recursive WITH query. Databases differ in the number of rows of the last round that the step sees at once: in
 * this form it reads each row by itself.
 *
 * @throws {GatewayError} `unsupported` for every other form.
 */
export function recursionOf(cte: CommonTable, database: string): Recursion {
  const { id, query, traversal } = cte
  const refusal = (construct: string) => unsupportedConstruct(construct, database, undefined)
  if (traversal !== undefined) {
    throw refusal(traversal.order === undefined ? 'CYCLE' : 'SEARCH')
  }
  if (query.kind !== 'setOperation' || query.operator !== 'union') {
    throw refusal('a recursive query that is no UNION')
  }
  if (!isBare(query)) throw refusal('WITH, ORDER BY or LIMIT of a recursive query')
  const { left, right, all } = query
  if (right.kind !== 'select' || !isBare(right) || looksAtSeveral(right)) {
    throw refusal('this form of the recursive part of a query')
  }
  if (!isDirect(id, right)) throw refusal('a recursive reference inside a subquery')
  return { seed: left, step: right, all }
}

function isBare({ ctes, orderBy, limit, offset }: Query): boolean {
  return ctes.length === 0 && orderBy.length === 0 && limit === undefined && offset === undefined
}

function looksAtSeveral(query: SelectQuery): boolean {
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

/** Is the only reference in the FROM of the query itself? */
function isDirect(cte: CteId, query: SelectQuery): boolean {
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
  return all === 1 && direct === 1
}
