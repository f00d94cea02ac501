/** @module Values as results of an expression: a column of a derived table, or of the answer. */

import type { Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, print } from '../../print-context.ts'
import { propertiesOf } from '../../value-properties.ts'
import { withScale } from '../decimal/decimal.ts'
import { decimalOf } from '../numeric/print-decimal.ts'
import { intervalText } from '../time/interval.ts'

/**
 * A numeric is a DECIMAL of the scale that its properties name, or text where they have none (`text`: always text). An interval
 * is PostgreSQL's text. All other values keep the form of expressions.
 */
export function exportForm(expression: Expression, context: PrintContext, form?: 'text'): Sql {
  switch (classOfType(expression.type, context)) {
    case 'numeric': {
      const of = decimalOf(expression, context)
      const { scale } = propertiesOf(expression, context)
      if (form === 'text' || scale === undefined) return of.text()
      const isExact = expression.kind === 'column' || expression.kind === 'constant'
      return isExact ? of.value() : withScale(of, scale)
    }
    case 'interval':
      return intervalText(expression, context)
    default:
      return print(expression, context)
  }
}
