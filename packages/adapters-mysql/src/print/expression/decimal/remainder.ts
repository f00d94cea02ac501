import { sql } from '@engine/core/print'
import { nullSql, type PrintContext } from '../../print-context.ts'
import { letValues } from '../binding/let-binding.ts'
import { type Decimal, decimal, exact, greaterScale, nullDecimal } from './decimal.ts'
import { calculate } from './decimal-operands.ts'
import { zeroGuard } from './division.ts'

/** With the sign of the dividend, as in PostgreSQL. */
export function remainderOf(
  left: Decimal,
  right: Decimal,
  context: PrintContext,
  canBeNamed: boolean,
): Decimal {
  const make = ([one = nullDecimal, other = nullDecimal]: readonly Decimal[]): Decimal => {
    const values = () => [
      { value: one.value(), kind: one.maxScale },
      { value: other.value(), kind: other.maxScale },
    ]
    const value = () =>
      // The added number removes the sign of a zero.
      letValues(values(), context, canBeNamed, (dividend = nullSql, divisor = nullSql) =>
        zeroGuard(dividend, divisor, sql`${dividend} % ${divisor} + 0`),
      )
    const maxScale = Math.max(one.maxScale, other.maxScale)
    return decimal(
      value,
      greaterScale(one.scale, other.scale),
      Math.max(one.digits, other.digits),
      maxScale,
    )
  }
  return exact(calculate([left, right], context, canBeNamed, make), context)
}
