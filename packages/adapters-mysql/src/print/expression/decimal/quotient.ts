/** @module Division of numerics, with PostgreSQL's number of digits for the quotient. */
import { keyword, type Sql, sql } from '@engine/core/print'
import type { PrintContext } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { type Decimal, fewDigits, formatted, lazy, nullDecimal } from './decimal.ts'
import { onceDecimals } from './decimal-operands.ts'
import {
  type DividedOperands,
  dividedOperands,
  type Limits,
  withinLimits,
} from './divided-operands.ts'
import { zeroGuard } from './division.ts'
import { quotientScale } from './quotient-scale.ts'
import { divisionOf } from './raw-quotient.ts'

export interface QuotientOptions {
  /** A divisor of zero gives NULL: for avg() without any counted value. */
  readonly zeroIsNull: boolean
  /** See `letValues`. */
  readonly canBeNamed: boolean
}

/** Digits after the point of a quotient within a larger calculation. */
const narrowScale = 20
/** The most pieces of an operand that is repeated: the server plans a repeated operand faster than a subquery that names it. */
const mostRepeated = 30

export function quotientOf(
  dividend: Decimal,
  divisor: Decimal,
  context: PrintContext,
  options: QuotientOptions,
): Decimal {
  const division = divisionOf(context)
  const { exactScale } = division
  const operands = dividedOperands(dividend, divisor, division)
  const make = (use: (raw: Sql, scale: (most: number) => Sql) => Sql): (() => Sql) =>
    lazy(() => divide(operands, context, options, use))
  const scale = make((_, shown) => shown(exactScale))
  const { limits, right } = operands
  const digits = limits.digits + limits.divisorScale
  const maxScale = greatestScale(limits, right, exactScale)
  const fewer = Math.min(narrowScale, maxScale)
  return {
    value: make((raw, shown) => sql`round(${raw}, ${shown(exactScale)})`),
    text: make((raw, shown) => formatted(raw, shown(exactScale))),
    scale,
    digits,
    maxScale,
    narrow: lazy(() => ({
      value: make((raw, shown) => small(raw, sql`round(${raw}, ${shown(fewer)})`, digits)),
      text: make((raw, shown) => small(raw, formatted(raw, shown(fewer)), digits)),
      scale,
      digits: Math.min(fewDigits, digits),
      maxScale: fewer,
    })),
  }
}

/** `value`, but SQLSTATE 0A000 for a `raw` of `fewDigits` digits or more before the point; `digits` is the most it can have. */
function small(raw: Sql, value: Sql, digits: number): Sql {
  if (digits <= fewDigits) return value
  const limit = keyword(`1${'0'.repeat(fewDigits)}`)
  return sql`case when abs(${raw}) >= ${limit} then ${raiseState('0A000')} else ${value} end`
}

/** The most digits after the point that such operands can produce. */
function greatestScale({ scale, divisorScale }: Limits, right: Decimal, most: number): number {
  const groups = Math.ceil(scale / 4) + Math.ceil(right.digits / 4)
  return Math.min(most, Math.max(16 + 4 * groups, scale, divisorScale))
}

function divide(
  { left, right, limits }: DividedOperands,
  context: PrintContext,
  { zeroIsNull, canBeNamed }: QuotientOptions,
  use: (raw: Sql, scale: (most: number) => Sql) => Sql,
): Sql {
  return onceDecimals(
    [left, right],
    context,
    canBeNamed,
    (one = nullDecimal, other = nullDecimal) => {
      const [a, b] = [one.value(), other.value()]
      const raw = divisionOf(context).divide(
        { ...one, maxScale: limits.scale },
        { ...other, maxScale: limits.divisorScale },
      )
      const answer = withinLimits(
        use(raw, (most) => quotientScale(one, other, most, context, canBeNamed)),
        one,
        other,
        limits,
      )
      return zeroIsNull ? sql`case when ${b} <> 0 then ${answer} end` : zeroGuard(a, b, answer)
    },
    mostRepeated,
  )
}
