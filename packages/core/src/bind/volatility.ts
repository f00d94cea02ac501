import type { Expression } from './expression.ts'
import { visitExpression } from './visit-query.ts'

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

function volatilityOf(part: Expression): string | undefined {
  if ('function' in part && typeof part.function !== 'string') return part.function.volatility
  return 'operator' in part && typeof part.operator !== 'string'
    ? part.operator.volatility
    : undefined
}
