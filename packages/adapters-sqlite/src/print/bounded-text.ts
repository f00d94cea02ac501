import { type Expression, isModest as isModestText } from '@engine/core/adapter'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'

/** Can the text be no longer than what was stored or sent? A text of a gigabyte ends the process. */
export function isModest(expression: Expression, context: PrintContext): boolean {
  return isModestText(expression, {
    classOf: (type) => classOfType(type, context),
    isStored: ({ relation, column }) =>
      relationOf(relation, context).column(column).stored !== undefined,
  })
}
