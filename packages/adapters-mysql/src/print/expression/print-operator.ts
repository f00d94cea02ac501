/** @module Operators, by name and the classes of their operands. */

import { isComparison, operatorSymbol, type Sql, sql } from '@engine/core/print'
import type { Expression, OperatorCall } from '@engine/core/tree'
import { haveBoundedLength, notTooLong } from '../bounded-text.ts'
import { call, classOfType, nullSql, type PrintContext, print, refuse } from '../print-context.ts'
import { classOf, comparesNatively, isFloat, isInteger, type TypeClass } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'
import { canBind } from './binding/can-bind.ts'
import { letValues, mostDoubled } from './binding/let-binding.ts'
import { letColumns } from './binding/let-columns.ts'
import { letExpressions } from './binding/named-kind.ts'
import { printComparison } from './comparison/comparison.ts'
import { printPattern } from './comparison/print-pattern.ts'
import { divided } from './decimal/division.ts'
import { printFloats, squareRoot } from './decimal/print-float.ts'
import { checkedInteger } from './decimal/print-number.ts'
import { elementJson } from './forms/array-item.ts'
import { textForm } from './forms/text-form.ts'
import { printDocuments } from './json/json-operators.ts'
import { spacedJson } from './json/json-text.ts'
import { printMoments } from './time/moments.ts'

export function printOperator(expression: OperatorCall, context: PrintContext): Sql {
  const { operator, left, right } = expression
  const rightClass = classOfType(right.type, context)
  if (left === undefined) return printPrefix(expression, rightClass, context)
  if (isComparison(operator.name)) return printComparison(operator.name, left, right, context)
  const leftClass = classOfType(left.type, context)
  const printed =
    printPattern(expression, leftClass, context) ??
    printMoments(expression, context) ??
    printArithmetic(expression, leftClass, context) ??
    printDocuments(expression, leftClass, rightClass, context) ??
    (operator.name === '||' ? printConcatenation(expression, left, context) : undefined) ??
    printArrays(expression, left, leftClass, rightClass, context)
  return printed ?? refuse(`the operator ${operator.signature}`, expression.position)
}

function printPrefix(expression: OperatorCall, typeClass: TypeClass, context: PrintContext): Sql {
  const { operator, right } = expression
  const value = () => print(right, context)
  if (operator.name === '+') return value()
  if (isInteger(typeClass)) {
    if (operator.name === '-') return checkedInteger(sql`(- ${value()})`, typeClass)
    if (operator.name === '@') return checkedInteger(call('abs', value()), typeClass)
    if (operator.name === '~') return sql`cast(~ ${value()} as signed)`
  }
  if (isFloat(typeClass)) {
    if (operator.name === '-') return sql`(- ${value()})`
    if (operator.name === '@') return call('abs', value())
    if (operator.name === '|/') return squareRoot(value(), context, canBind(right))
  }
  return refuse(`the operator ${operator.signature}`, expression.position)
}

function printArithmetic(
  expression: OperatorCall,
  leftClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const { left, right, operator, type } = expression
  const resultClass = classOfType(type, context)
  if (left === undefined) return undefined
  if (isInteger(resultClass) && isInteger(leftClass)) {
    return printIntegers(operator.name, left, right, resultClass, context)
  }
  return isFloat(resultClass) && isFloat(leftClass)
    ? printFloats(operator.name, left, right, resultClass, context)
    : undefined
}

function printIntegers(
  name: string,
  leftExpression: Expression,
  rightExpression: Expression,
  resultClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const [left, right] = [print(leftExpression, context), print(rightExpression, context)]
  switch (name) {
    case '+':
    case '-':
    case '*':
      return checkedInteger(sql`(${left} ${operatorSymbol(name)} ${right})`, resultClass)
    case '/':
      return divided(leftExpression, rightExpression, context, 'integer', (one, other) =>
        checkedInteger(sql`(${one} div ${other})`, resultClass),
      )
    case '%':
      return divided(
        leftExpression,
        rightExpression,
        context,
        'integer',
        (one, other) => sql`(${one} % ${other})`,
      )
    case '&':
    case '|':
      return sql`cast(${left} ${operatorSymbol(name)} ${right} as signed)`
    case '#':
      return sql`cast(${left} ^ ${right} as signed)`
    case '<<':
      return shiftedLeft(left, right, resultClass)
    case '>>':
      return shiftedRight(leftExpression, rightExpression, resultClass, context)
    default:
      return undefined
  }
}

/** Only the lowest bits of the distance are used. */
function shift(distance: Sql, resultClass: TypeClass): Sql {
  return resultClass === 'int8' ? sql`(${distance} & 63)` : sql`(${distance} & 31)`
}

function shiftedLeft(left: Sql, right: Sql, resultClass: TypeClass): Sql {
  const shifted = sql`(${left} << ${shift(right, resultClass)})`
  switch (resultClass) {
    case 'int8':
      return sql`cast(${shifted} as signed)`
    case 'int4':
      return sql`(cast((${shifted} & 4294967295) ^ 2147483648 as signed) - 2147483648)`
    default:
      return sql`(cast((${shifted} & 65535) ^ 32768 as signed) - 32768)`
  }
}

function shiftedRight(
  left: Expression,
  right: Expression,
  resultClass: TypeClass,
  context: PrintContext,
): Sql {
  return letExpressions(
    [left, right],
    context,
    (value = nullSql, distance = nullSql) => {
      const places = shift(distance, resultClass)
      return sql`if(${value} < 0, cast(~(cast(~${value} as signed) >> ${places}) as signed), cast(${value} >> ${places} as signed))`
    },
    mostDoubled,
  )
}

function printConcatenation(
  expression: OperatorCall,
  left: Expression,
  context: PrintContext,
): Sql | undefined {
  const { right, type } = expression
  switch (classOfType(type, context)) {
    case 'text':
      return joinedTexts(expression, context)
    case 'bytea':
      return call('concat', print(left, context), print(right, context))
    case 'array':
      return letColumns([left, right], context, (one = left, other = right) =>
        joinedArrays(one, other, context),
      )
    default:
      return undefined
  }
}

function joinedArrays(left: Expression, right: Expression, context: PrintContext): Sql {
  const [leftClass, rightClass] = [left, right].map((each) => classOfType(each.type, context))
  const shown = (each: Expression) =>
    classOfType(each.type, context) === 'array' ? items(each, context) : elementJson(each, context)
  const [one, other] = [shown(left), shown(right)]
  const [hasLeft, hasRight] = [leftClass === 'array', rightClass === 'array']
  // NULL beside an array is an empty array.
  const [first, second] = [
    hasLeft ? sql`nullif(coalesce(${one}, ''), '')` : one,
    hasRight ? sql`nullif(coalesce(${other}, ''), '')` : other,
  ]
  const joined = sql`concat('[', concat_ws(',', ${first}, ${second}), ']')`
  return hasLeft && hasRight
    ? sql`if(isnull(${print(left, context)}) and isnull(${print(right, context)}), null, ${joined})`
    : joined
}

/** A whole chain of `||` in one call. */
function joinedTexts(expression: OperatorCall, context: PrintContext): Sql {
  const operands = operandsOf(expression, context)
  const texts = operands.map((each) => textForm(each, context))
  if (haveBoundedLength(operands, context)) return call('concat', ...texts)
  const isNullable = operands.map((each) => propertiesOf(each, context).isNullable)
  const nullable = texts.flatMap((value, index) =>
    isNullable[index] === true ? [{ value, kind: 'text' } as const] : [],
  )
  return letValues(
    nullable,
    context,
    canBind(expression),
    (...names) => {
      const rest = names.values()
      const all = texts.map((text, index) =>
        isNullable[index] === true ? (rest.next().value ?? nullSql) : text,
      )
      return notTooLong(call('concat', ...all), names)
    },
    mostDoubled,
  )
}

function operandsOf(expression: Expression, context: PrintContext): readonly Expression[] {
  if (expression.kind !== 'operator' || expression.operator.name !== '||') return [expression]
  const { left, right } = expression
  if (left === undefined || classOfType(expression.type, context) !== 'text') return [expression]
  return [...operandsOf(left, context), ...operandsOf(right, context)]
}

/** The text between the brackets. */
function items(expression: Expression, context: PrintContext): Sql {
  const text = spacedJson(print(expression, context))
  return sql`trim(trailing ']' from trim(leading '[' from ${text}))`
}

/** Elements are found by their spelling: equal numbers with another scale would be missed. */
function printArrays(
  expression: OperatorCall,
  left: Expression,
  leftClass: TypeClass,
  rightClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const { operator, right } = expression
  if (leftClass !== 'array' || rightClass !== 'array') return undefined
  const element = context.types.elementTypeOid(right.type.oid)
  const elementClass = element === undefined ? 'other' : classOf(context.types, element)
  const isSafe =
    comparesNatively(elementClass) && elementClass !== 'numeric' && !isFloat(elementClass)
  if (!isSafe) return undefined
  switch (operator.name) {
    case '@>':
      return contains(left, right, context)
    case '<@':
      return contains(right, left, context)
    case '&&':
      return sql`json_overlaps(${print(left, context)}, ${print(right, context)})`
    default:
      return undefined
  }
}

/** NULL elements equal nothing. */
function contains(whole: Expression, part: Expression, context: PrintContext): Sql {
  return letExpressions(
    [whole, part],
    context,
    (one = nullSql, other = nullSql) =>
      sql`(json_contains(${one}, ${other}) and not json_contains(${other}, 'null'))`,
    mostDoubled,
  )
}
