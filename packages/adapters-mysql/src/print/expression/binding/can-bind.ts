import { type Expression, partsOf, type Query } from '@engine/core/tree'

const known = new WeakMap<Expression, boolean>()

/**
 * Can the value be named (see `let-binding.ts`)? MariaDB crashes when the argument of JSON_TABLE contains a window function or a
 * grouped subquery, and cannot resolve there the references of a subquery without FROM.
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
