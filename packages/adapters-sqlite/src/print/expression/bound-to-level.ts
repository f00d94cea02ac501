import type { Expression } from '@engine/core/tree'
import { hasPart } from '@engine/core/tree'

/** Has it aggregates or window calls of its own query? They would have another meaning inside a subquery. */
export function isBoundToLevel(expression: Expression): boolean {
  return hasPart(expression, ({ kind }) => kind === 'aggregate' || kind === 'window')
}
