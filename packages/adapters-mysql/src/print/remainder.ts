import { sql } from '@engine/core'
import { type Decimal, decimal, exact, greaterScale } from './decimal.ts'
import { zeroGuard } from './division.ts'
import { once } from './once.ts'
import { nullSql, type PrintContext } from './print-context.ts'

/** With the sign of the dividend, as everywhere. */
export function remainderOf(
  left: Decimal,
  right: Decimal,
  context: PrintContext,
  isNameable: boolean,
): Decimal {
  const values = () => [
    { value: left.value(), kind: left.maxScale },
    { value: right.value(), kind: right.maxScale },
  ]
  const value = () =>
    // What is added takes the sign from a zero.
    once(values(), context, isNameable, (one = nullSql, other = nullSql) =>
      zeroGuard(one, other, sql`${one} % ${other} + 0`),
    )
  return exact(
    decimal(
      value,
      greaterScale(left.scale, right.scale),
      Math.max(left.digits, right.digits),
      Math.max(left.maxScale, right.maxScale),
    ),
  )
}
