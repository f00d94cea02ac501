import { type Expression, partsOf, type Query } from '@engine/core/adapter'

const known = new WeakMap<Expression, boolean>()

/**
 * Can the value have a name (see `let-binding.ts`)? MariaDB ends when a window function or a grouped subquery is in the
 * argument of JSON_TABLE, and does not find there what a subquery without FROM refers to.
 */
export function canBind(expression: Expression): boolean {
  const found = known.get(expression)
  if (found !== undefined) return found
  const answer = decide(expression)
  known.set(expression, answer)
  return answer
}

function decide(expression: Expression): boolean {
  if (expression.kind === 'window') return false
  const { expressions, query } = partsOf(expression)
  return (query === undefined || canBindQuery(query)) && expressions.every(canBind)
}

function canBindQuery(query: Query): boolean {
  if (query.kind !== 'select' || query.ctes.length > 0) return false
  return query.from.length > 0 && query.groupBy === undefined && query.having === undefined
}
