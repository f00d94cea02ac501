import { hasBoundedLength as isBounded } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'

/** Is the text no longer than a small number of stored or sent texts together? A text of a gigabyte ends the process. */
export function hasBoundedLength(expression: Expression, context: PrintContext): boolean {
  return isBounded(expression, {
    classOf: (type) => classOfType(type, context),
    isStored: ({ relation, column }) =>
      relationOf(relation, context).column(column).stored !== undefined,
  })
}
