import { GatewayError } from '../../foundation/errors.ts'
import type { BoundStatement, Query } from '../bind/tree/bound-query.ts'
import { isWrite } from '../bind/tree/map-query.ts'
import type { StatementLimits } from '../budget/statement-limits.ts'
import { type AuthorizedStatement, rewriteAuthorized } from '../permissions/authorize/authorized.ts'
import type { AcceptedStatement } from '../sql/accepted-syntax.ts'
import { relationDepth } from './relation-depth.ts'
import { measureSyntax, type SyntaxShape } from './syntax-shape.ts'

/**
 * Limits that the configuration cannot change: no real program needs more. Windows and sort keys are planned in a time that grows with
 * the square of their number, and PostgreSQL checks no time limit while it plans windows.
 */
const hardCaps: readonly (readonly [what: keyof SyntaxShape, most: number, name: string])[] = [
  ['listItems', 65_535, 'items in one list'],
  ['commonTables', 100, 'WITH queries'],
  ['setOperations', 100, 'set operations'],
  ['fromItems', 200, 'tables and subqueries in FROM'],
  ['whenClauses', 20, 'WHEN clauses'],
  ['windows', 64, 'different windows'],
  ['sortKeys', 512, 'keys in one list of ORDER BY, GROUP BY, DISTINCT or PARTITION BY'],
]

/**
 * Refuses a statement that exceeds a limit of its syntax, before its names are resolved.
 *
 * @throws {GatewayError} `limitExceeded` (400) naming the limit.
 */
export function enforceSyntaxLimits(statement: AcceptedStatement, limits: StatementLimits): void {
  const shape = measureSyntax(statement)
  for (const [what, most, name] of hardCaps) {
    if (shape[what] > most) {
      throw limitExceeded(`The statement has more than ${most} ${name}.`, {
        allowed: most,
        measured: shape[what],
      })
    }
  }
  enforce('maxFilterNesting', limits.maxFilterNesting, shape.filterNesting)
  enforce('maxFilterConditions', limits.maxFilterConditions, shape.filterConditions)
}

/**
 * Refuses a statement with too long a chain of tables. Runs before permissions add anything.
 *
 * @throws {GatewayError} `limitExceeded` (400) naming the limit.
 */
export function enforceRelationDepth(statement: BoundStatement, limits: StatementLimits): void {
  enforce('maxRelationDepth', limits.maxRelationDepth, relationDepth(statement))
}

function enforce(limit: keyof StatementLimits, allowed: number, measured: number): void {
  if (measured <= allowed) return
  const message = `The statement exceeds limits.${limit} (${allowed}).`
  throw limitExceeded(message, { limit, allowed, measured })
}

function limitExceeded(message: string, details: Readonly<Record<string, unknown>>): GatewayError {
  return new GatewayError('limitExceeded', message, { sqlState: '54001', details })
}

/**
 * Caps the rows of a read at `maxRows`: the database returns at most one more, so that a cut result differs from a complete one.
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
  return rewriteAuthorized(statement, (bound) => ({ ...bound, body: capped }))
}
