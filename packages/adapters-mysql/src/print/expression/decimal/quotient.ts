/** @module Division of numerics, with PostgreSQL's number of digits for the quotient. */
import { integer, keyword, type Sql, sql } from '@engine/core/adapter'
import { type PrintContext, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'
import { type Decimal, fewDigits, formatted, lazy, nullDecimal, scaleSql } from './decimal.ts'
import { onceDecimals } from './decimal-operands.ts'
import { zeroGuard } from './division.ts'

export interface QuotientOptions {
  /** A divisor of zero gives NULL: for avg() without any counted value. */
  readonly zeroIsNull: boolean
  /** See `letValues`. */
  readonly canBeNamed: boolean
}

/** The server's quotient has four digits more than the dividend: so zeros are added to the dividend. */
const addedScale = 4
/** The number of digits before the point that are exact with this number of digits after it. */
const mostDigits = 45
/** Digits after the point of a quotient within a larger calculation. */
const narrowScale = 20

export function quotientOf(
  left: Decimal,
  right: Decimal,
  context: PrintContext,
  options: QuotientOptions,
): Decimal {
  if (left.digits > mostDigits && left.narrow !== undefined) {
    return quotientOf(left.narrow(), right, context, options)
  }
  if (left.digits + right.maxScale > mostDigits && right.narrow !== undefined) {
    return quotientOf(left, right.narrow(), context, options)
  }
  if (left.digits > mostDigits) return refuse('a division of this many digits', undefined)
  const make = (use: (raw: Sql, scale: () => Sql) => Sql): (() => Sql) =>
    lazy(() => divide(left, right, context, options, use))
  const text = make((raw, scale) => formatted(raw, scale()))
  const scale = make((raw, shown) => sql`if(isnull(${raw}), null, ${shown()})`)
  const digits = left.digits + right.maxScale
  const maxScale = greatestScale(left, right, context)
  return {
    value: make((raw, shown) => sql`round(${raw}, ${shown()})`),
    text,
    scale,
    digits,
    maxScale,
    narrow: lazy(() => ({
      value: make((raw, shown) => small(raw, sql`round(${raw}, ${fewer(shown())})`, digits)),
      text: make((raw, shown) => small(raw, formatted(raw, fewer(shown())), digits)),
      scale,
      digits: Math.min(fewDigits, digits),
      maxScale: Math.min(narrowScale, maxScale),
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
function greatestScale(left: Decimal, right: Decimal, context: PrintContext): number {
  const groups = Math.ceil(left.maxScale / 4) + Math.ceil(right.digits / 4)
  return Math.min(
    context.traits.mostScale,
    Math.max(16 + 4 * groups, left.maxScale, right.maxScale),
  )
}

function fewer(scale: Sql): Sql {
  return sql`if(${scale} > ${integer(narrowScale)}, ${raiseState('0A000')}, ${scale})`
}

function divide(
  left: Decimal,
  right: Decimal,
  context: PrintContext,
  { zeroIsNull, canBeNamed }: QuotientOptions,
  use: (raw: Sql, scale: () => Sql) => Sql,
): Sql {
  return onceDecimals(
    [left, right],
    context,
    canBeNamed,
    (one = nullDecimal, other = nullDecimal) => {
      const [a, b] = [one.value(), other.value()]
      const zeros = withZeros(a, context.traits.mostScale - addedScale - left.maxScale)
      const raw = sql`(${zeros} / ${b})`
      const scales = () => [scaleSql(one.scale), scaleSql(other.scale)] as const
      const answer = use(raw, () => quotientScale(a, b, ...scales(), context, canBeNamed))
      return zeroIsNull ? sql`case when ${b} <> 0 then ${answer} end` : zeroGuard(a, b, answer)
    },
  )
}

/**
 * PostgreSQL counts in groups of four decimal digits. With w the position of a number's first group and f that group, the
 * quotient has `max(16 - 4 * (w1 - w2 - (f1 <= f2)), scale1, scale2)` digits after the point.
 */
function quotientScale(
  a: Sql,
  b: Sql,
  scaleA: Sql,
  scaleB: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const texts = [
    { value: allDigits(a, context), kind: 'text' },
    { value: allDigits(b, context), kind: 'text' },
  ] as const
  return letValues(texts, context, canBeNamed, (one, other) => {
    if (one === undefined || other === undefined) throw new Error('a value lost its name')
    const groups = [
      { value: firstGroup(one, context), kind: 'integer' },
      { value: firstGroup(other, context), kind: 'integer' },
    ] as const
    return letValues(groups, context, canBeNamed, (place, otherPlace) => {
      if (place === undefined || otherPlace === undefined) throw new Error('a value lost its name')
      const isLess = sql`(${groupAt(one, place)} <= ${groupAt(other, otherPlace)})`
      const weight = sql`(${otherPlace} - ${place} - ${isLess})`
      const digits = sql`greatest(16 - 4 * ${weight}, ${scaleA}, ${scaleB}, 0)`
      return sql`if(${digits} > ${integer(context.traits.mostScale)}, ${raiseState('0A000')}, ${digits})`
    })
  })
}

/** Digits before the point, and after it, by whole groups of four. */
const wholeDigits = 40

function fractionDigits(context: PrintContext): number {
  return Math.floor(context.traits.mostScale / 4) * 4
}

/** All digits, without the point. */
function allDigits(value: Sql, context: PrintContext): Sql {
  const fraction = fractionDigits(context)
  const digits = sql`replace(replace(format(abs(${value}), ${integer(fraction)}, 'en_US'), ',', ''), '.', '')`
  return sql`lpad(${digits}, ${integer(wholeDigits + fraction)}, '0')`
}

/** Index of the first group that is not 0000; of the group before the point when all are. */
function firstGroup(digits: Sql, context: PrintContext): Sql {
  const count = integer(wholeDigits + fractionDigits(context))
  return sql`if(${digits} regexp '[1-9]', (${count} - char_length(trim(leading '0' from ${digits}))) div 4, 9)`
}

function groupAt(digits: Sql, place: Sql): Sql {
  return sql`cast(substring(${digits}, 4 * ${place} + 1, 4) as signed)`
}

function withZeros(value: Sql, count: number): Sql {
  return count <= 0 ? value : sql`(${value} * ${keyword(`1.${'0'.repeat(count)}`)})`
}
