import { type Expression, partsOf } from '@engine/core/adapter'

/** Is there a window function in the expression itself, queries inside it aside? */
export function hasWindow(expression: Expression): boolean {
  return expression.kind === 'window' || partsOf(expression).expressions.some(hasWindow)
}
