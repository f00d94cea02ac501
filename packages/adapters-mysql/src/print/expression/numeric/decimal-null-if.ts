/** @module NULLIF of numerics. */

import { oids, type SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import type { Expression, NullIf } from '@engine/core/tree'
import { classOfType, type PrintContext, print } from '../../print-context.ts'
import { isVolatileSql } from '../../volatile-sql.ts'
import { canBind } from '../binding/can-bind.ts'
import { type Decimal, lazy } from '../decimal/decimal.ts'
import { onceDecimals } from '../decimal/decimal-operands.ts'

type DecimalOf = (expression: Expression, context: PrintContext) => Decimal

export function decimalNullIf(
  expression: NullIf,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  return nullIfEqual(decimalOf(expression.left, context), expression, context, decimalOf)
}

/** `of` is the left side, or the same with fewer digits. */
function nullIfEqual(
  of: Decimal,
  expression: NullIf,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const unless = partUnlessEqual(of, expression, context, decimalOf)
  const { narrow } = of
  const whole: Decimal = {
    value: unless((each) => each.value()),
    scale: of.scale,
    text: unless((each) => each.text()),
    digits: of.digits,
    maxScale: of.maxScale,
  }
  return narrow === undefined
    ? whole
    : { ...whole, narrow: lazy(() => nullIfEqual(narrow(), expression, context, decimalOf)) }
}

/** Prints a part of a numeric, or NULL where it is equal to the right side. */
function partUnlessEqual(
  of: Decimal,
  { operator, left, right }: NullIf,
  context: PrintContext,
  decimalOf: DecimalOf,
): (part: (of: Decimal) => Sql) => () => Sql {
  if (classOfType(right.type, context) !== 'numeric') {
    const type: SqlType = { oid: oids.bool, typmod: -1 }
    const isEqual: Expression = { kind: 'operator', operator, left, right, type }
    return (part) =>
      lazy(() => sql`case when ${print(isEqual, context)} then null else ${part(of)} end`)
  }
  const other = decimalOf(right, context)
  const canBeNamed = canBind(left) && canBind(right)
  const unlessEqual = (part: (of: Decimal) => Sql) =>
    onceDecimals(
      [of, other],
      context,
      canBeNamed,
      (one = of, two = other) =>
        sql`case when ${one.value()} = ${two.value()} then null else ${part(one)} end`,
    )
  return (part) =>
    lazy(() => (isZero(right) ? unlessZero(part(of)) : undefined) ?? unlessEqual(part))
}

function isZero(expression: Expression): boolean {
  if (expression.kind !== 'constant' || typeof expression.value !== 'string') return false
  return /^-?[0.]*0[0.]*$/.test(expression.value)
}

/** Undefined for a volatile part: the server evaluates it twice. A text is compared as a double, of which no other is zero. */
function unlessZero(part: Sql): Sql | undefined {
  return isVolatileSql(part) ? undefined : sql`nullif(${part}, 0)`
}
