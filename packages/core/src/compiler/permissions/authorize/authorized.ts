import type { Branded } from '../../../foundation/brand.ts'
import { GatewayError } from '../../../foundation/errors.ts'
import type { BoundStatement } from '../../bind/tree/bound-query.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'

/**
 * A statement narrowed to the rights of a set of roles: every base table in it is a SecuredTable, every write carries its
 * WriteSecurity. Adapters compile nothing else. `authorize` makes one of a bound statement; later stages rewrite it with
 * `rewriteAuthorized`.
 */
export type AuthorizedStatement = Branded<BoundStatement, 'AuthorizedStatement'>

/**
 * Marks a statement as authorized: the only place that does. For `authorize` and `rewriteAuthorized`.
 *
 * @throws {GatewayError} `internal` when a base table is not secured, or a write carries no security.
 */
export function sealAuthorized(statement: BoundStatement): AuthorizedStatement {
  visitStatement(statement, {
    fromItem: ({ kind }) => {
      if (kind === 'table') throw unsecured('a base table')
    },
    write: ({ security }) => {
      if (security === undefined) throw unsecured('a write')
    },
  })
  return statement as AuthorizedStatement
}

/**
 * Rewrites an authorized statement: caps its rows, derives a query from it. The result is checked again.
 *
 * @param rewrite must only narrow the rows that are read, or read rows that the statement already reads or proposes.
 */
export function rewriteAuthorized(
  statement: AuthorizedStatement,
  rewrite: (statement: BoundStatement) => BoundStatement,
): AuthorizedStatement {
  return sealAuthorized(rewrite(statement))
}

function unsecured(part: string): GatewayError {
  return new GatewayError('internal', `an authorized statement holds ${part} without permissions`)
}
