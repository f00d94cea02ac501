/** @module What can be told about the values of an expression without running it. */
import type { Expression, Oid } from '@engine/core/adapter'
import { oids } from '@engine/core/adapter'
import { type Facts, type PrintContext, relationOf } from './print-context.ts'
import { scaleOfType } from './type-class.ts'

/** `stored` is set only for columns: they alone can be printed as they are stored. */
export function factsOf(expression: Expression, context: PrintContext): Facts {
  if (expression.kind === 'column') {
    return relationOf(expression.relation, context).column(expression.column)
  }
  return {
    stored: undefined,
    isNullable: isNullable(expression, context),
    scale: scaleOf(expression, context),
  }
}

/** Looks at nothing but this fact of the parts: both of each would be 2^n questions. */
function isNullable(expression: Expression, context: PrintContext): boolean {
  switch (expression.kind) {
    case 'column':
      return factsOf(expression, context).isNullable
    case 'constant':
      return expression.value === null
    case 'requestTime':
    case 'nullTest':
    case 'booleanTest':
    case 'distinctTest':
    case 'exists':
    case 'grouping':
      return false
    case 'coalesce':
      return expression.args.every((each) => isNullable(each, context))
    case 'cast':
      return isNullable(expression.operand, context)
    case 'call':
      return !neverNull.has(expression.function.name)
    case 'aggregate':
      return expression.function.name !== 'count'
    case 'window':
      return !neverNull.has(expression.function.name)
    default:
      return true
  }
}

const neverNull: ReadonlySet<string> = new Set([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'count',
  'concat',
  'json_build_array',
  'json_build_object',
  'jsonb_build_array',
  'jsonb_build_object',
])

function scaleOf(expression: Expression, context: PrintContext): number | undefined {
  const scale = (each: Expression) => scaleOf(each, context)
  if (expression.type.oid !== oids.numeric) return undefined
  switch (expression.kind) {
    case 'column':
      return factsOf(expression, context).scale
    case 'constant':
      return typeof expression.value === 'string' ? scaleOfText(expression.value) : undefined
    case 'cast':
      if (expression.type.typmod >= 0) return scaleOfType(expression.type)
      return integerOids.has(expression.operand.type.oid) ? 0 : undefined
    case 'operator': {
      const { left, right, operator } = expression
      if (left === undefined) return scale(right)
      return combined(operator.name, scale(left), scale(right))
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

function combined(
  operator: string,
  left: number | undefined,
  right: number | undefined,
): number | undefined {
  if (left === undefined || right === undefined) return undefined
  if (operator === '+' || operator === '-' || operator === '%') return Math.max(left, right)
  return operator === '*' ? left + right : undefined
}

function common(scales: readonly (number | undefined)[]): number | undefined {
  const [first] = scales
  return scales.every((each) => each === first) ? first : undefined
}

function scaleOfText(text: string): number | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}
