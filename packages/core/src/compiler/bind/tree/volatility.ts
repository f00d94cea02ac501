import type { BoundStatement, Query } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { visitExpression, visitQuery, visitStatement } from './visit-query.ts'

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

/** May two executions in the same state of the database return different rows? */
export function isVolatileQuery(query: Query): boolean {
  let isFound = false
  visitQuery(query, {
    expression: (part) => {
      isFound ||= isVolatileCall(part)
    },
  })
  return isFound
}

/** Is this node itself, regardless of its operands, a call that may return another value each time? */
export function isVolatileCall(part: Expression): boolean {
  return volatilityOf(part) === 'volatile'
}

/**
 * Does a query do more than read: lock rows, or call a function with unknown effects? It belongs to the transaction of its
 * client.
 */
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
