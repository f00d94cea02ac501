/** @module Operators, by name and the classes of their operands. */

import type { Sql } from '@engine/core/print'
import { integer, isComparison, operatorSymbol, sql } from '@engine/core/print'
import type { OperatorCall } from '@engine/core/tree'
import { isVolatile } from '@engine/core/tree'
import { hasBoundedLength } from '../bounded-text.ts'
import { letValues } from '../let-binding.ts'
import { call, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { checkedInteger } from '../print-number.ts'
import { classOf, comparesNatively, isFloat, isInteger, type TypeClass } from '../type-class.ts'
import { printComparison } from './comparison.ts'
import { elementJson } from './forms/array-element.ts'
import { textForm } from './forms/text-form.ts'
import { printPattern } from './print-pattern.ts'

export function printOperator(expression: OperatorCall, context: PrintContext): Sql {
  const { operator, left, right } = expression
  const rightClass = classOfType(right.type, context)
  if (left === undefined) return printPrefix(expression, rightClass, context)
  if (isComparison(operator.name)) return printComparison(operator.name, left, right, context)
  const leftClass = classOfType(left.type, context)
  const pattern = printPattern(expression, leftClass, context)
  if (pattern !== undefined) return pattern
  const operands: Operands = {
    name: operator.name,
    left: print(left, context),
    right: print(right, context),
    leftClass,
    rightClass,
    resultClass: classOfType(expression.type, context),
    isVolatile: isVolatile(left) || isVolatile(right),
    context,
  }
  const printed =
    printArithmetic(operands) ??
    printMoments(operands) ??
    printDocuments(operands) ??
    (operator.name === '||' ? printConcatenation(expression, operands, context) : undefined) ??
    printArrays(expression, operands, context)
  return printed ?? refuse(`the operator ${operator.signature}`, expression.position)
}

interface Operands {
  readonly name: string
  readonly left: Sql
  readonly right: Sql
  readonly leftClass: TypeClass
  readonly rightClass: TypeClass
  readonly resultClass: TypeClass
  /** One of the operands may differ between evaluations. */
  readonly isVolatile: boolean
  readonly context: PrintContext
}

function printPrefix(expression: OperatorCall, typeClass: TypeClass, context: PrintContext): Sql {
  const { operator, right } = expression
  const value = print(right, context)
  if (operator.name === '+') return value
  if (isInteger(typeClass)) {
    if (operator.name === '-') return checkedInteger(sql`(- ${value})`, typeClass)
    if (operator.name === '@') return checkedInteger(call('abs', value), typeClass)
    if (operator.name === '~') return sql`(~ ${value})`
  }
  if (isFloat(typeClass)) {
    // `- x` is 0 - x, which is 0 where it should be -0.
    if (operator.name === '-') return sql`(-1.0 * ${value})`
    if (operator.name === '@') return sql`(${call('abs', value)} + 0.0)`
    if (operator.name === '|/') return call('float_sqrt', value)
  }
  if (typeClass === 'numeric') {
    if (operator.name === '-') return call('dec_neg', value)
    if (operator.name === '@') return call('dec_abs', value)
  }
  if (typeClass === 'interval' && operator.name === '-') return call('interval_neg', value)
  return refuse(`the operator ${operator.signature}`, expression.position)
}

function printArithmetic(operands: Operands): Sql | undefined {
  const { resultClass } = operands
  if (isInteger(resultClass) && isInteger(operands.leftClass)) return printIntegers(operands)
  if (isFloat(resultClass) && isFloat(operands.leftClass)) return printFloats(operands)
  return resultClass === 'numeric' ? printDecimals(operands) : undefined
}

function printIntegers(operands: Operands): Sql | undefined {
  const { name, left, right, resultClass } = operands
  switch (name) {
    case '+':
    case '-':
    case '*':
      return checkedInteger(sql`(${left} ${operatorSymbol(name)} ${right})`, resultClass)
    case '/':
      return checkedInteger(call('int_div', left, right), resultClass)
    case '%':
      return call('int_mod', left, right)
    case '&':
    case '|':
      return sql`(${left} ${operatorSymbol(name)} ${right})`
    case '#':
      return call('int_xor', left, right)
    case '<<':
      return call('int_shift_left', left, right, bitsOf(resultClass))
    case '>>':
      return call('int_shift_right', left, right, bitsOf(resultClass))
    default:
      return undefined
  }
}

function bitsOf(typeClass: TypeClass): Sql {
  return integer(typeClass === 'int2' ? 16 : typeClass === 'int4' ? 32 : 64)
}

function printFloats(operands: Operands): Sql | undefined {
  const result = floatOperation(operands)
  return result !== undefined && operands.resultClass === 'float4' ? call('float4', result) : result
}

function floatOperation(operands: Operands): Sql | undefined {
  const { name, left, right } = operands
  switch (name) {
    case '+':
      return call('float_add', left, right)
    case '-':
      return call('float_sub', left, right)
    case '*':
      return call('float_mul', left, right)
    case '/':
      return call('float_div', left, right)
    case '^':
      return power(operands)
    default:
      return undefined
  }
}

function power({ left, right, context, isVolatile }: Operands): Sql {
  const make = (base: Sql, exponent: Sql) =>
    call('float_pow', base, exponent, call('pow', base, exponent))
  return letValues(
    [left, right],
    context,
    (base = left, exponent = right) => make(base, exponent),
    isVolatile,
  )
}

function printDecimals({ name, left, right }: Operands): Sql | undefined {
  switch (name) {
    case '+':
      return call('dec_add', left, right)
    case '-':
      return call('dec_sub', left, right)
    case '*':
      return call('dec_mul', left, right)
    case '/':
      return call('dec_div', left, right)
    case '%':
      return call('dec_mod', left, right)
    case '^':
      return call('dec_pow', left, right)
    default:
      return undefined
  }
}

const plus = integer(1)
const minus = integer(-1)

/** Dates, times and intervals. */
function printMoments(operands: Operands): Sql | undefined {
  const { name, left, right, leftClass, rightClass } = operands
  if (name === '*' || name === '/') return scaleInterval(operands)
  if (name !== '+' && name !== '-') return undefined
  const sign = name === '+' ? plus : minus
  const hasSwapped = name === '+' && isAddend(leftClass) && !isAddend(rightClass)
  if (hasSwapped) {
    return printMoments({
      ...operands,
      left: right,
      right: left,
      leftClass: rightClass,
      rightClass: leftClass,
    })
  }
  switch (`${leftClass} ${rightClass}`) {
    case 'date int4':
    case 'date int2':
      return call('pg_date_add_days', left, name === '+' ? right : sql`(- ${right})`)
    case 'date date':
      return call('pg_date_diff', left, right)
    case 'date interval':
    case 'date time':
      return call('pg_ts_add', call('pg_to_timestamp_cast', left), right, sign)
    case 'timestamp interval':
    case 'timestamptz interval':
      return call('pg_ts_add', left, right, sign)
    case 'time interval':
      return call('pg_time_add', left, right, sign)
    case 'time date':
      return call('pg_ts_add', call('pg_to_timestamp_cast', right), left, plus)
    case 'timestamp timestamp':
    case 'timestamptz timestamptz':
      return call('interval_between', left, right)
    case 'time time':
      return call('interval_between', left, right)
    case 'interval interval':
      return call('interval_add', left, right, sign)
    default:
      return undefined
  }
}

function isAddend(typeClass: TypeClass): boolean {
  return typeClass === 'interval' || isInteger(typeClass)
}

function scaleInterval(operands: Operands): Sql | undefined {
  const { name, left, right, leftClass, rightClass } = operands
  if (leftClass === 'interval' && isFloat(rightClass)) {
    return name === '*' ? call('interval_mul', left, right) : call('interval_div', left, right)
  }
  const isSwapped = isFloat(leftClass) && rightClass === 'interval' && name === '*'
  return isSwapped ? call('interval_mul', right, left) : undefined
}

/** json and jsonb. */
function printDocuments(operands: Operands): Sql | undefined {
  const { name, left, right, leftClass, rightClass } = operands
  if (leftClass !== 'json' && leftClass !== 'jsonb') return undefined
  switch (name) {
    case '->':
      if (leftClass === 'jsonb' && isInteger(rightClass)) return call('pg_jsonb_get', left, right)
      return call('pg_json_get', left, right)
    case '->>':
      if (leftClass === 'jsonb' && isInteger(rightClass)) {
        return call('pg_jsonb_get_text', left, right)
      }
      return call('pg_json_get_text', left, right)
    case '#>':
      return call('pg_json_path', left, right)
    case '#>>':
      return call('pg_json_path_text', left, right)
    case '@>':
      return call('pg_jsonb_contains', left, right)
    case '<@':
      return call('pg_jsonb_contains', right, left)
    case '?':
      return call('pg_jsonb_has_key', left, right)
    case '?|':
      return call('pg_jsonb_has_any', left, right)
    case '?&':
      return call('pg_jsonb_has_all', left, right)
    case '#-':
      return call('pg_jsonb_delete_path', left, right)
    case '||':
      return call('pg_jsonb_concat', left, right)
    case '-':
      if (rightClass === 'array') return call('pg_jsonb_delete_keys', left, right)
      if (isInteger(rightClass)) return call('pg_jsonb_delete_index', left, right)
      return call('pg_jsonb_delete_key', left, right)
    default:
      return undefined
  }
}

function printConcatenation(
  expression: OperatorCall,
  operands: Operands,
  context: PrintContext,
): Sql | undefined {
  const { left, right, resultClass, leftClass, rightClass } = operands
  if (resultClass === 'text' && expression.left !== undefined) {
    const [one, other] = [
      textForm(left, expression.left.type, context, expression.position),
      textForm(right, expression.right.type, context, expression.position),
    ]
    return hasBoundedLength(expression, context)
      ? sql`(${one} || ${other})`
      : call('text_concat', one, other)
  }
  if (resultClass === 'bytea') return call('bytes_concat', left, right)
  if (leftClass === 'array' && rightClass === 'array') return call('array_concat', left, right)
  const other = leftClass === 'array' ? expression.right : expression.left
  if (resultClass !== 'array' || other === undefined) return undefined
  return leftClass === 'array'
    ? call('array_append', left, elementJson(right, other.type, context, expression.position))
    : call('array_prepend', elementJson(left, other.type, context, expression.position), right)
}

/** Elements are compared by their texts: equal numerics with another scale would be missed. */
function printArrays(
  expression: OperatorCall,
  { name, left, right, leftClass, rightClass }: Operands,
  context: PrintContext,
): Sql | undefined {
  if (leftClass !== 'array' || rightClass !== 'array') return undefined
  const element = context.types.elementTypeOid(expression.right.type.oid)
  if (element === undefined || !comparesNatively(classOf(context.types, element))) return undefined
  switch (name) {
    case '@>':
      return call('array_contains', left, right)
    case '<@':
      return call('array_contains', right, left)
    case '&&':
      return call('array_overlaps', left, right)
    default:
      return undefined
  }
}
