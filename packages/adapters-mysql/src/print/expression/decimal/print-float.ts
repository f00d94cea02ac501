/** @module Arithmetic of floats. The server raises an error when a result is too large, and returns 0 when it is too small. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { nullSql, type PrintContext, print } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import type { TypeClass } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { divided } from './division.ts'

/** Undefined for an operator that floats do not have. */
export function printFloats(
  name: string,
  left: Expression,
  right: Expression,
  resultClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const fitted = (value: Sql) => (resultClass === 'float4' ? sql`cast(${value} as float)` : value)
  const [one, other] = [print(left, context), print(right, context)]
  switch (name) {
    case '+':
      return fitted(sql`(${one} + ${other})`)
    case '-':
      return fitted(sql`(${one} - ${other})`)
    case '*':
      return fitted(product(left, right, context))
    case '/':
      return divided(left, right, context, 'double', (dividend, divisor) => {
        const quotient = fitted(sql`(${dividend} / ${divisor})`)
        return isSmall(right)
          ? quotient
          : sql`case when ${quotient} = 0 and ${dividend} <> 0 then ${raiseState('22003')} else ${quotient} end`
      })
    case '^':
      return power(one, other, context, canBind(left) && canBind(right))
    default:
      return undefined
  }
}

/** A divisor that does not decrease numbers, except for the very smallest ones. */
function isSmall(expression: Expression): boolean {
  const size = constantSize(expression)
  return size !== undefined && size <= 1
}

/** The size of a constant number. */
function constantSize(expression: Expression): number | undefined {
  if (expression.kind === 'cast') return constantSize(expression.operand)
  if (expression.kind !== 'constant' || typeof expression.value !== 'string') return undefined
  return Math.abs(Number(expression.value))
}

function product(left: Expression, right: Expression, context: PrintContext): Sql {
  const [one, other] = [print(left, context), print(right, context)]
  const isLarge = [left, right].some((each) => (constantSize(each) ?? 0) >= 1)
  if (isLarge) return sql`(${one} * ${other})`
  const values = [
    { value: one, kind: 'double' },
    { value: other, kind: 'double' },
  ] as const
  const canBeNamed = canBind(left) && canBind(right)
  return letValues(values, context, canBeNamed, (a = nullSql, b = nullSql) => {
    const result = sql`(${a} * ${b})`
    return sql`case when ${result} = 0 and ${a} <> 0 and ${b} <> 0 then ${raiseState('22003')} else ${result} end`
  })
}

/** The server returns NULL, or 0, where PostgreSQL raises. */
export function power(left: Sql, right: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  const values = [
    { value: left, kind: 'double' },
    { value: right, kind: 'double' },
  ] as const
  return letValues(values, context, canBeNamed, (base = nullSql, exponent = nullSql) => {
    const isUndefined = sql`(${base} = 0 and ${exponent} < 0) or (${base} < 0 and ${exponent} <> floor(${exponent}))`
    const result = sql`pow(${base}, ${exponent})`
    return sql`case when ${isUndefined} then ${raiseState('2201F')} when ${result} = 0 and ${base} <> 0 then ${raiseState('22003')} else ${result} end`
  })
}

export function squareRoot(value: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return letValues(
    [{ value, kind: 'double' }],
    context,
    canBeNamed,
    (name = nullSql) =>
      sql`case when ${name} < 0 then ${raiseState('2201F')} else sqrt(${name}) end`,
  )
}
