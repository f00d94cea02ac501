/** @module Facts about the values of an expression that are known without running it. */

import { type Oid, oids } from '@engine/core/catalog'
import { canBeNull, scaleOfOperator, scaleOfText, totalOperators } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { fieldScale } from './extract-field.ts'
import { createMemo } from './memo.ts'
import { anyValue, type PrintContext, relationOf, type ValueProperties } from './print-context.ts'
import { scaleOfType } from './type-class.ts'

/** `stored` is set only for columns: only these can be printed as they are stored. */
export function propertiesOf(expression: Expression, context: PrintContext): ValueProperties {
  if (expression.kind === 'column') {
    return relationOf(expression.relation, context).column(expression.column)
  }
  const scale = expression.type.oid === oids.numeric ? scaleOf(expression, context) : undefined
  return {
    stored: undefined,
    isNullable: isNullable(expression, context),
    scale: scale === 'any' ? 0 : scale,
  }
}

/** The properties of a value that is one of several. */
export function commonProperties(all: readonly ValueProperties[]): ValueProperties {
  const scale = common(all.map((each) => each.scale))
  return {
    ...anyValue,
    isNullable: all.some((each) => each.isNullable),
    scale: scale === 'any' ? 0 : scale,
  }
}

const nullability = createMemo<boolean>()

function isNullable(expression: Expression, context: PrintContext): boolean {
  return nullability(expression, context, () => findNullable(expression, context))
}

function findNullable(expression: Expression, context: PrintContext): boolean {
  const isNull = (each: Expression) => isNullable(each, context)
  switch (expression.kind) {
    case 'column':
      return relationOf(expression.relation, context).column(expression.column).isNullable
    case 'not':
    case 'collate':
      return isNull(expression.operand)
    case 'logical':
      return expression.operands.some(isNull)
    case 'operator': {
      const { left, right, operator } = expression
      if (!totalOperators.has(operator.name)) return true
      return (left !== undefined && isNull(left)) || isNull(right)
    }
    default:
      return canBeNull(expression, isNull) ?? true
  }
}

/** `any`: NULL, which has no scale and matches every scale. */
type Scale = number | 'any' | undefined

const scales = createMemo<Scale>()

function scaleOf(expression: Expression, context: PrintContext): Scale {
  return scales(expression, context, () => findScale(expression, context))
}

function findScale(expression: Expression, context: PrintContext): Scale {
  const scale = (each: Expression): Scale => scaleOfPart(each, context)
  switch (expression.kind) {
    case 'constant':
      if (expression.value === null) return 'any'
      return typeof expression.value === 'string' ? scaleOfText(expression.value) : undefined
    case 'cast':
      if (expression.type.typmod >= 0) return scaleOfType(expression.type)
      if (integerOids.has(expression.operand.type.oid)) return 0
      return expression.operand.type.oid === oids.numeric ? scale(expression.operand) : undefined
    case 'operator': {
      const { left, right, operator } = expression
      if (left === undefined) return scale(right)
      return combined(operator.name, scale(left), scale(right))
    }
    case 'coalesce':
    case 'extremum':
      return common(expression.args.map(scale))
    case 'nullIf':
      return scale(expression.left)
    case 'case':
      return common([
        ...expression.whens.map(({ result }) => scale(result)),
        ...(expression.otherwise === undefined ? [] : [scale(expression.otherwise)]),
      ])
    case 'aggregate':
    case 'window': {
      const [argument, , otherwise] = expression.args
      if (argument === undefined || !keepsScale.has(expression.function.name)) return undefined
      if (otherwise !== undefined) return common([scale(argument), scale(otherwise)])
      return argument.type.oid === oids.int8 ? 0 : scale(argument)
    }
    case 'call':
      return scaleOfCall(expression, scale)
    default:
      return undefined
  }
}

function scaleOfPart(expression: Expression, context: PrintContext): Scale {
  if (expression.kind === 'constant' && expression.value === null) return 'any'
  const { scale } = propertiesOf(expression, context)
  return scale
}

const integerOids: ReadonlySet<Oid> = new Set<Oid>([oids.int2, oids.int4, oids.int8])

const keepsScale: ReadonlySet<string> = new Set([
  ...['sum', 'min', 'max'],
  ...['lag', 'lead', 'first_value', 'last_value', 'nth_value'],
])

function scaleOfCall(
  { function: { name }, args }: FunctionCall,
  scale: (each: Expression) => Scale,
): Scale {
  const [first, second] = args
  if (first === undefined) return undefined
  switch (name) {
    case 'round':
    case 'trunc': {
      if (second === undefined) return 0
      const places = second.kind === 'constant' ? second.value : undefined
      return typeof places === 'string' ? Math.min(Math.max(Number(places), 0), 30) : undefined
    }
    case 'ceil':
    case 'ceiling':
    case 'floor':
    case 'div':
    case 'sign':
    case 'factorial':
      return 0
    case 'abs':
      return scale(first)
    case 'mod':
      return second === undefined ? undefined : combined('%', scale(first), scale(second))
    case 'extract':
      return second === undefined ? undefined : fieldScale(first, second.type)
    default:
      return undefined
  }
}

function combined(operator: string, left: Scale, right: Scale): Scale {
  if (left === undefined || right === undefined) return undefined
  if (left === 'any' || right === 'any') return 'any'
  return scaleOfOperator(operator, left, right)
}

function common(scales: readonly Scale[]): Scale {
  const known = scales.filter((each) => each !== 'any')
  const [first] = known
  if (known.length === 0) return 'any'
  return known.every((each) => each === first) ? first : undefined
}
