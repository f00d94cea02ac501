import { type Expression, partsOf, type Query } from '@engine/core/adapter'

const known = new WeakMap<Expression, boolean>()

/**
 * Can a value not have a name (see `once.ts`)? MariaDB ends when a window function or a grouped subquery stands in the
 * argument of JSON_TABLE, and does not find what a subquery without FROM refers to there.
 */
export function isUnnameable(expression: Expression): boolean {
  const found = known.get(expression)
  if (found !== undefined) return found
  const answer = findDelicate(expression)
  known.set(expression, answer)
  return answer
}

function findDelicate(expression: Expression): boolean {
  if (expression.kind === 'window') return true
  const { expressions, query } = partsOf(expression)
  return (query !== undefined && isDelicate(query)) || expressions.some(isUnnameable)
}

function isDelicate(query: Query): boolean {
  if (query.kind !== 'select' || query.ctes.length > 0) return true
  return query.from.length === 0 || query.groupBy !== undefined || query.having !== undefined
}
