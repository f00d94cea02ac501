/**
 * @module The server's own division of numerics, with more digits than are shown. A quotient must be cut there, not rounded:
 * 0.4999…9 rounded to 0.5 would be rounded once more, to 1.
 */
import { keyword, type Sql, sql } from '@engine/core/print'
import type { PrintContext } from '../../print-context.ts'
import type { Decimal } from './decimal.ts'

/** How a server divides. */
export interface Division {
  /** The most digits after the point that are exact. */
  readonly exactScale: number
  /** The most digits of a dividend before the point, and after it. */
  readonly mostDigits: (divisor: Decimal) => number
  readonly mostScale: (divisor: Decimal) => number
  /** The most digits of a divisor after the point that leave room for such a dividend. */
  readonly mostDivisorScale: (dividend: Decimal) => number
  readonly divide: (dividend: Decimal, divisor: Decimal) => Sql
  /** The quotient without its fraction. */
  readonly truncate: (dividend: Sql, divisor: Sql) => Sql
}

export function divisionOf({ traits }: PrintContext): Division {
  return traits.faults.roundedQuotients ? roundedDivision : cutDivision(traits.mostScale)
}

/** The quotient has four digits more than the dividend, to which zeros are added, and is cut at more. */
function cutDivision(exactScale: number): Division {
  return {
    exactScale,
    // A divisor without fewer digits is as good as any.
    mostDigits: (divisor) => (divisor.narrow === undefined ? 45 : 45 - divisor.maxScale),
    mostScale: () => exactScale,
    mostDivisorScale: () => exactScale,
    divide: (dividend, divisor) => {
      // A sum has all these digits; a value by itself may have fewer than its type.
      const wide = sql`(${dividend.value()} + ${keyword(`0.${'0'.repeat(exactScale - 4)}`)})`
      return sql`(${wide} / ${divisor.value()})`
    },
    truncate: (dividend, divisor) => sql`truncate(${dividend} / ${divisor}, 0)`,
  }
}

/**
 * The server calculates with words of nine digits. A dividend of 23 digits after the point over an integer gives 27, three words,
 * which is what the type of the quotient has: so that it is cut there. Both operands are multiplied until the divisor is an
 * integer, and the dividend a thousand times more, so that 30 digits are exact after all. One of them decides how the last one
 * that is shown is rounded.
 */
const roundedDivision: Division = {
  exactScale: 29,
  mostDigits: (divisor) => 39 - divisor.maxScale,
  mostScale: (divisor) => 26 + divisor.maxScale,
  mostDivisorScale: (dividend) => 39 - dividend.digits,
  divide: (dividend, divisor) => {
    const scale = divisor.maxScale
    const whole = scale === 0 ? divisor.value() : shifted(divisor.value(), scale, 0)
    return sql`(${shifted(dividend.value(), scale + 3, 23)} / ${whole} * 0.001)`
  },
  truncate: (dividend, divisor) =>
    sql`truncate((${dividend} - ${dividend} % ${divisor}) / ${divisor}, 0)`,
}

/** Multiplied by a power of ten, with exactly this many digits after the point. */
function shifted(value: Sql, places: number, scale: 0 | 23): Sql {
  const product = sql`${value} * ${keyword(`1${'0'.repeat(places)}`)}`
  return scale === 0
    ? sql`cast(${product} as decimal(65, 0))`
    : sql`cast(${product} as decimal(65, 23))`
}
