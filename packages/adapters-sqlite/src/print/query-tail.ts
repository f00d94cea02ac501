/** @module The clauses behind the rows of a query. */
import type { Query } from '@engine/core/adapter'

export function hasTail(query: Query): boolean {
  return query.orderBy.length > 0 || query.limit !== undefined || query.offset !== undefined
}
