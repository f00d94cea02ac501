/** @module Drops LIMIT from a query that returns at most one row anyway. */
import type { Query } from '../bind/tree/bound-query.ts'
import { allOf, compare, integer, type LowerContext } from './expression-builders.ts'
import { limitCall } from './listed-rows.ts'
import { hasAtMostOneRow } from './row-bounds.ts'

/** `select ... where id = 3 limit $1` → `select ... where id = 3 and $1 > 0` */
export function dropRedundantLimit(query: Query, context: LowerContext): Query {
  if (context.dialect.hasFreeLimit || query.kind !== 'select') return query
  const { limit, offset } = query
  if (limit?.count === undefined || limit.max !== undefined || limit.withTies) return query
  if (offset !== undefined || query.isAggregated || query.distinct !== 'none') return query
  const without: Query = { ...query, limit: undefined }
  if (!hasAtMostOneRow(without)) return query
  if (limit.count.kind === 'constant') {
    return limit.count.value === '0' || String(limit.count.value).startsWith('-') ? query : without
  }
  if (limit.count.kind !== 'parameter') return query
  const isAllowed = compare('>', limitCall(limit.count, false), integer(0), context)
  return { ...without, where: allOf([query.where, isAllowed]) }
}
