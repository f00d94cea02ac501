import type { BoundStatement, Query } from '../bind/bound-query.ts'
import { isWrite } from '../bind/map-query.ts'
import type { AuthorizedStatement } from '../permissions/authorized.ts'

/**
 * Caps the rows of a read at `maxRows`: the database gives one more at most, so that a cut can be told from an end.
 * Only ever lowers a limit.
 */
export function withRowLimit(statement: AuthorizedStatement, maxRows: number): AuthorizedStatement {
  const { body } = statement
  if (isWrite(body)) return statement
  const { limit } = body
  const max = Math.min(limit?.max ?? Number.POSITIVE_INFINITY, maxRows + 1)
  const capped: Query = {
    ...body,
    limit: { count: limit?.count, withTies: limit?.withTies ?? false, max },
  }
  const narrowed: BoundStatement = { ...statement, body: capped }
  return narrowed as AuthorizedStatement
}
