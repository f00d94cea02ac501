/** @module Expressions over a query that becomes a subquery in FROM. */
import type { RelationId, SelectQuery } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { replaceParts } from './query-level.ts'
import { sameExpression } from './same-expression.ts'
import { isVolatile } from './volatility.ts'

export interface ColumnsBelowOptions {
  /** The subquery. */
  readonly id: RelationId
  /** The expressions that the subquery calculates: those that are missing are added. */
  readonly needed: Expression[]
  /** The calls of the query itself, which the subquery calculates. A call inside a subquery belongs to that subquery. */
  readonly isCall: (part: Expression) => boolean
  /** The columns of the query's own relations, and what else depends on their rows. */
  readonly isOwn: (part: Expression) => boolean
}

/** Replaces calls, grouping keys and columns of a query by columns of the subquery that it becomes. */
export function columnsBelow(
  { groupBy }: SelectQuery,
  { id, needed, isCall, isOwn }: ColumnsBelowOptions,
): (expression: Expression) => Expression {
  const column = (expression: Expression): Expression => {
    const known = isVolatile(expression)
      ? -1
      : needed.findIndex((each) => sameExpression(each, expression))
    const index = known >= 0 ? known : needed.push(expression) - 1
    return { kind: 'column', relation: id, column: index, type: expression.type }
  }
  const isGrouped = (part: Expression) =>
    groupBy?.expressions.some((each) => each.kind !== 'constant' && sameExpression(each, part)) ===
    true
  const inside = (part: Expression) => (isGrouped(part) || isOwn(part) ? column(part) : undefined)
  const here = (part: Expression) => (isCall(part) ? column(part) : inside(part))
  return (expression) => replaceParts(expression, here, inside)
}
