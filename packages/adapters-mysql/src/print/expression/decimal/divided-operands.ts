/** @module Operands of a division with no more digits than the server can divide. */
import { integer, joinSql, keyword, type Sql, sql } from '@engine/core/print'
import { raiseState } from '../../raise.ts'
import { type Decimal, fewScale } from './decimal.ts'
import type { Division } from './raw-quotient.ts'

export interface DividedOperands {
  readonly left: Decimal
  readonly right: Decimal
  readonly limits: Limits
}

/** Numbers of digits: of the dividend, and of the divisor after the point. The operands may have more, but rarely do. */
export interface Limits {
  readonly digits: number
  readonly scale: number
  readonly divisorScale: number
}

/** The operands with all digits where that is possible, otherwise with fewer; see `withinLimits` for the rest. */
export function dividedOperands(
  left: Decimal,
  right: Decimal,
  division: Division,
): DividedOperands {
  const divisors = [right, right.narrow?.()].filter((each) => each !== undefined)
  const dividends = [
    () => left,
    (scale: number) => (left.maxScale > scale ? left.within?.(scale) : undefined),
    () => left.narrow?.(),
  ]
  for (const make of dividends) {
    for (const divisor of divisors) {
      const dividend = make(division.mostScale(divisor))
      if (dividend !== undefined && fits(dividend, divisor, division)) {
        const { digits, maxScale } = dividend
        const limits = { digits, scale: maxScale, divisorScale: divisor.maxScale }
        return { left: dividend, right: divisor, limits }
      }
    }
  }
  const room = Math.max(fewScale, division.mostDivisorScale(left))
  const divisorScale = Math.min(right.maxScale, room)
  const divisor = { ...right, maxScale: divisorScale }
  const digits = Math.min(left.digits, division.mostDigits(divisor))
  const scale = Math.min(left.maxScale, division.mostScale(divisor))
  return { left, right, limits: { digits, scale, divisorScale } }
}

function fits(dividend: Decimal, divisor: Decimal, division: Division): boolean {
  return (
    dividend.digits <= division.mostDigits(divisor) &&
    dividend.maxScale <= division.mostScale(divisor)
  )
}

/** `quotient`, but SQLSTATE 0A000 where an operand has more digits than its limit. */
export function withinLimits(
  quotient: Sql,
  left: Decimal,
  right: Decimal,
  { digits, scale, divisorScale }: Limits,
): Sql {
  const hasMorePlaces = ({ value, maxScale }: Decimal, most: number) =>
    maxScale > most ? [sql`${value()} <> truncate(${value()}, ${integer(most)})`] : []
  const limit = keyword(`1${'0'.repeat(digits)}`)
  const conditions = [
    ...(left.digits > digits ? [sql`abs(${left.value()}) >= ${limit}`] : []),
    ...hasMorePlaces(left, scale),
    ...hasMorePlaces(right, divisorScale),
  ]
  if (conditions.length === 0) return quotient
  return sql`case when ${joinSql(conditions, ' or ')} then ${raiseState('0A000')} else ${quotient} end`
}
