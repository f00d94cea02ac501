/** @module What a printer reads off a query. */
import type { Query } from '../bind/bound-query.ts'

/** Does ORDER BY, LIMIT or OFFSET follow the rows? */
export function hasTail(query: Query): boolean {
  return query.orderBy.length > 0 || query.limit !== undefined || query.offset !== undefined
}
