/**
 * @module The number of digits after the point of PostgreSQL's quotient. PostgreSQL counts in groups of four decimal digits. With
 * w the position of a number's first group (0 before the point, -1 after it) and f that group, the quotient has
 * `max(16 - 4 * (w1 - w2 - (f1 <= f2)), scale1, scale2)` digits. For zero, w and f are 0.
 *
 * The number `p = 10000 * w + f` has both: `w1 - w2 - (f1 <= f2)` is `floor((p1 - p2 - 1) / 10000)`.
 */
import { commaList, integer, type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext } from '../../print-context.ts'
import { atMost } from '../../raise.ts'
import { letValues, mostDoubled } from '../binding/let-binding.ts'
import { type Decimal, formatted, scaleSql } from './decimal.ts'

/**
 * The scale of `dividend / divisor`; SQLSTATE 0A000 where it is greater than `most`. A divisor of zero has no meaning.
 *
 * @param canBeNamed See `letValues`.
 */
export function quotientScale(
  dividend: Decimal,
  divisor: Decimal,
  most: number,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const [first, second] = [groupsOf(dividend), groupsOf(divisor)]
  const scale = letValues(
    [
      { value: first.digits, kind: 'text' },
      { value: second.digits, kind: 'text' },
    ],
    context,
    canBeNamed,
    (one = nullSql, other = nullSql) => {
      const zero = integer(10_000 * (first.fraction + 1))
      const p1 = sql`if(${dividend.value()} = 0, ${zero}, length(${one}) * 2500 + left(${one}, 4))`
      // Without digits, text that is a number: a divisor is zero here beside a dividend of NULL.
      const p2 = sql`(length(${other}) * 2500 + left(concat(${other}, '0'), 4))`
      // The difference of the groups after the point, less 1; a million keeps the dividend of DIV above zero.
      const rest = integer(10_000 * (second.fraction - first.fraction) + 999_999)
      return sql`416 - 4 * ((${p1} - ${p2} + ${rest}) div 10000)`
    },
    mostDoubled,
  )
  return atMost(sql`greatest(${commaList([scale, ...leastScales(dividend, divisor)])})`, most)
}

/** The scales of both; one number where they are known. */
function leastScales({ scale: one }: Decimal, { scale: other }: Decimal): readonly Sql[] {
  return typeof one === 'number' && typeof other === 'number'
    ? [integer(Math.max(one, other))]
    : [scaleSql(one), scaleSql(other)]
}

interface Groups {
  /** The digits from the first group that is not 0000 to the last one; empty for zero. */
  readonly digits: Sql
  /** The number of groups after the point. */
  readonly fraction: number
}

/** The most digits of a value while the server calculates, filled up to whole groups. */
const allDigits = 84

/** Zeros that complete a group. */
const zeros = [sql`''`, sql`'0'`, sql`'00'`, sql`'000'`]

function groupsOf({ value, digits, maxScale }: Decimal): Groups {
  const size = sql`abs(${value()})`
  const fraction = Math.ceil(maxScale / 4)
  const plain = maxScale === 0 ? size : sql`replace(${withScale(size, digits, maxScale)}, '.', '')`
  const missing = 4 * fraction - maxScale
  const whole = missing === 0 ? plain : sql`concat(${plain}, ${zeros[missing] ?? nullSql})`
  return {
    digits: sql`trim(leading '0000' from lpad(${whole}, ${integer(allDigits)}, '0'))`,
    fraction,
  }
}

/** With exactly this scale, as a number or as a text. */
function withScale(size: Sql, digits: number, scale: number): Sql {
  return digits + scale <= 65
    ? sql`cast(${size} as decimal(65, ${integer(scale)}))`
    : formatted(size, integer(scale))
}
