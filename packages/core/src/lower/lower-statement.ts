/**
 * @module From what PostgreSQL can say to what SQLite can say, on the bound tree. What is left afterwards is plain: see
 * `internal-functions.ts` for the two words that are added.
 */
import { type BoundStatement, mapStatement, type Query } from '@engine/core'
import { lowerDistinctOn } from './distinct-on.ts'
import { lowerGroups } from './grouping-sets.ts'
import { lowerLaterals } from './lateral.ts'
import { refuseHiddenSiblings } from './parentheses.ts'
import { markPresence } from './presence.ts'
import { lowerSubquery } from './quantified.ts'
import { lowerSetOperation, lowerValues } from './set-operations.ts'
import { lowerSetReturning } from './set-returning.ts'
import type { LowerContext } from './typed.ts'
import { lowerWithTies } from './with-ties.ts'
import { lowerWrite, refuseWritesInWith } from './writes.ts'

/**
 * Rewrites LATERAL, DISTINCT ON, grouping sets, INTERSECT and EXCEPT ALL, WITH TIES, quantified comparisons, set-returning
 * functions in select lists, UPDATE ... FROM and DELETE ... USING.
 *
 * @throws {GatewayError} `unsupported` (400) for what has no faithful form.
 */
export function lowerStatement(statement: BoundStatement): BoundStatement {
  refuseWritesInWith(statement)
  let id = statement.nextId
  const context: LowerContext = { types: statement.connection.types, nextId: () => id++ }
  const guarded = mapStatement(statement, {
    expression: (expression) => lowerSubquery(expression, context),
  })
  const lowered = mapStatement(guarded, {
    query: (query) => lowerQuery(query, context),
    write: (write) => lowerWrite(write, context),
  })
  const marked = markPresence(lowered, context)
  refuseHiddenSiblings(marked)
  return { ...marked, nextId: id }
}

/** The subqueries of `query` are lowered already. */
function lowerQuery(query: Query, context: LowerContext): Query {
  switch (query.kind) {
    case 'values':
      return lowerValues(query, context)
    case 'setOperation':
      return lowerWithTies(lowerSetOperation(query, context), context)
    case 'select': {
      const spread = lowerSetReturning(query, context)
      const flat = spread.kind === 'select' ? lowerLaterals(spread, context) : spread
      const grouped = lowerGroups(flat, context)
      return lowerWithTies(lowerDistinctOn(grouped, context), context)
    }
  }
}
