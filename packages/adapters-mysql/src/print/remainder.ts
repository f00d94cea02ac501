import { sql } from '@engine/core'
import { type Decimal, decimal, exact, greaterScale } from './decimal.ts'
import { once } from './once.ts'
import { nullSql, type PrintContext } from './print-context.ts'
import { raiseState } from './raise.ts'

/** With the sign of the dividend, as everywhere. */
export function remainderOf(
  left: Decimal,
  right: Decimal,
  context: PrintContext,
  isNameable: boolean,
): Decimal {
  const value = () =>
    once([{ value: right.value(), kind: right.maxScale }], context, isNameable, (divisor) => {
      const name = divisor ?? nullSql
      return sql`case when ${name} = 0 then ${raiseState('22012')} else ${left.value()} % ${name} end`
    })
  return exact(
    decimal(
      value,
      greaterScale(left.scale, right.scale),
      Math.max(left.digits, right.digits),
      Math.max(left.maxScale, right.maxScale),
    ),
  )
}
