/** @module Facts about the values of an expression that are known without running it. */

import type { Oid } from '@engine/core/catalog'
import { oids } from '@engine/core/catalog'
import { canBeNull, scaleOfOperator, scaleOfText } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { type PrintContext, relationOf, type ValueProperties } from './print-context.ts'
import { scaleOfType } from './type-class.ts'

/** `stored` is set only for columns: only these can be printed as they are stored. */
export function propertiesOf(expression: Expression, context: PrintContext): ValueProperties {
  if (expression.kind === 'column') {
    return relationOf(expression.relation, context).column(expression.column)
  }
  return {
    stored: undefined,
    isNullable: isNullable(expression, context),
    scale: scaleOf(expression, context),
  }
}

/** Evaluates only this fact of the parts: evaluating both for each part would take 2^n steps. */
function isNullable(expression: Expression, context: PrintContext): boolean {
  if (expression.kind === 'column') return propertiesOf(expression, context).isNullable
  return canBeNull(expression, (each) => isNullable(each, context)) ?? true
}

function scaleOf(expression: Expression, context: PrintContext): number | undefined {
  const scale = (each: Expression) => scaleOf(each, context)
  if (expression.type.oid !== oids.numeric) return undefined
  switch (expression.kind) {
    case 'column':
      return propertiesOf(expression, context).scale
    case 'constant':
      return typeof expression.value === 'string' ? scaleOfText(expression.value) : undefined
    case 'cast':
      if (expression.type.typmod >= 0) return scaleOfType(expression.type)
      return integerOids.has(expression.operand.type.oid) ? 0 : undefined
    case 'operator': {
      const { left, right, operator } = expression
      if (left === undefined) return scale(right)
      const [one, other] = [scale(left), scale(right)]
      if (one === undefined || other === undefined) return undefined
      return scaleOfOperator(operator.name, one, other)
    }
    case 'coalesce':
      return common(expression.args.map(scale))
    case 'case':
      return common([
        ...expression.whens.map(({ result }) => scale(result)),
        ...(expression.otherwise === undefined ? [] : [scale(expression.otherwise)]),
      ])
    case 'aggregate': {
      const [argument] = expression.args
      const keeps = ['sum', 'min', 'max'].includes(expression.function.name)
      if (!keeps || argument === undefined) return undefined
      return argument.type.oid === oids.int8 ? 0 : scale(argument)
    }
    default:
      return undefined
  }
}

const integerOids: ReadonlySet<Oid> = new Set<Oid>([oids.int2, oids.int4, oids.int8])

function common(scales: readonly (number | undefined)[]): number | undefined {
  const [first] = scales
  return scales.every((each) => each === first) ? first : undefined
}
