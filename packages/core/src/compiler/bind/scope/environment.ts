import type { BindContext, Clause, ExpressionEnvironment } from './context.ts'
import type { Scope } from './scope.ts'

/** Clauses that may hold aggregates of their own level. */
const aggregateClauses: ReadonlySet<Clause> = new Set<Clause>([
  'SELECT',
  'HAVING',
  'ORDER BY',
  'DISTINCT ON',
])

/** Clauses that may hold window calls. */
const windowClauses: ReadonlySet<Clause> = new Set<Clause>(['SELECT', 'ORDER BY', 'DISTINCT ON'])

/** The environment of the expressions of one clause. Every call starts a new count of `found` calls. */
export function clauseEnvironment(
  context: BindContext,
  scope: Scope,
  clause: Clause,
  grouped: Partial<
    Pick<ExpressionEnvironment, 'namedWindows' | 'groupExpressions' | 'lifted'>
  > = {},
): ExpressionEnvironment {
  return {
    context,
    scope,
    clause,
    found: { aggregates: 0, windows: 0 },
    aggregates: aggregateClauses.has(clause) ? 'allowed' : 'forbidden',
    windows: windowClauses.has(clause) ? 'allowed' : 'forbidden',
    namedWindows: grouped.namedWindows ?? new Map(),
    groupExpressions: grouped.groupExpressions ?? [],
    lifted: grouped.lifted,
  }
}
