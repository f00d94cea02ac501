import type { BoundStatement } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { visitExpression, visitStatement } from './visit-query.ts'

/** May two evaluations for the same row differ? */
export function isVolatile(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    expression: (part) => {
      isFound ||= volatilityOf(part) === 'volatile'
    },
  })
  return isFound
}

/** Does a query do more than read: lock rows, or call what may do anything? It belongs into the transaction of its client. */
export function mayOutlastItself(statement: BoundStatement): boolean {
  let isFound = false
  visitStatement(statement, {
    expression: (part) => {
      isFound ||= volatilityOf(part) === 'volatile'
    },
    query: (query) => {
      isFound ||= query.kind === 'select' && query.locking.length > 0
    },
  })
  return isFound
}

function volatilityOf(part: Expression): string | undefined {
  if ('function' in part && typeof part.function !== 'string') return part.function.volatility
  return 'operator' in part && typeof part.operator !== 'string'
    ? part.operator.volatility
    : undefined
}
