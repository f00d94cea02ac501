import { type Expression, partsOf } from '@engine/core/tree'

/** Does the expression itself, without its subqueries, contain a window function? */
export function hasWindow(expression: Expression): boolean {
  return expression.kind === 'window' || partsOf(expression).expressions.some(hasWindow)
}
