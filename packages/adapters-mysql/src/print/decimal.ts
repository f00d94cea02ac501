/**
 * @module Numerics. PostgreSQL's numeric shows each value with a scale of its own; a DECIMAL has one scale for all rows. So
 * a numeric is printed as up to three things: its value, the scale that PostgreSQL would show, and its text.
 */
import { integer, keyword, type Sql, sql } from '@engine/core'
import { once } from './once.ts'
import { call, nullSql, type PrintContext, refuse } from './print-context.ts'
import { raiseState } from './raise.ts'

export interface Decimal {
  /** A DECIMAL with PostgreSQL's value exactly; it may have more zeros at its end. */
  readonly value: () => Sql
  /** Digits behind the point that PostgreSQL shows: the same for every row, or an expression. */
  readonly scale: number | (() => Sql)
  /** The digits as PostgreSQL shows them. */
  readonly text: () => Sql
  /** Most digits before the point, and behind it. */
  readonly digits: number
  readonly maxScale: number
  /** The same with fewer digits; fails where a value has more. Set where values may have many, and hardly ever do. */
  readonly narrow?: () => Decimal
}

/** Digits of a numeric that is sent with a request, or kept as text. */
export const textDigits = 35
export const textScale = 30

/** The same where it is to be calculated with, and all those are too many. */
export const fewDigits = 22
export const fewScale = 16

/** Digits behind the point of a DECIMAL, at most. */
const mostScale = 38

/** A value with a scale. Its text has that scale whatever the type of the value. */
export function decimal(
  value: () => Sql,
  scale: number | (() => Sql),
  digits: number,
  maxScale: number,
): Decimal {
  return { value, scale, digits, maxScale, text: () => formatted(value(), scaleSql(scale)) }
}

export function scaleSql(scale: number | (() => Sql)): Sql {
  return typeof scale === 'number' ? integer(scale) : scale()
}

/** Rounded half away from zero, without the commas of the function, never `-0`. */
export function formatted(value: Sql, scale: Sql): Sql {
  return sql`replace(format(${value}, ${scale}, 'en_US'), ',', '')`
}

/** The scale of a text of digits. */
export function scaleOfDigits(text: Sql): Sql {
  return sql`if(locate('.', ${text}) = 0, 0, char_length(${text}) - locate('.', ${text}))`
}

/** A DECIMAL out of a text that is known to hold no more digits. */
export function decimalOfText(text: Sql, digits: number, scale: number): Sql {
  return sql`cast(${text} as decimal(${integer(digits + scale)}, ${integer(scale)}))`
}

/** With exactly that scale. */
export function withScale({ value, digits }: Decimal, scale: number): Sql {
  return decimalOfText(value(), Math.min(65 - scale, Math.max(digits, 1)), scale)
}

export function negative(of: Decimal): Decimal {
  return {
    ...decimal(() => sql`(- ${of.value()})`, of.scale, of.digits, of.maxScale),
    ...narrowed(of, negative),
  }
}

export function absolute(of: Decimal): Decimal {
  return {
    ...decimal(() => call('abs', of.value()), of.scale, of.digits, of.maxScale),
    ...narrowed(of, absolute),
  }
}

function narrowed(of: Decimal, change: (narrow: Decimal) => Decimal): Pick<Decimal, 'narrow'> {
  const { narrow } = of
  return narrow === undefined ? {} : { narrow: () => change(narrow()) }
}

export function sumOf(symbol: '+' | '-', left: Decimal, right: Decimal): Decimal {
  return calculated(left, right, (one, other) =>
    decimal(
      () => sql`(${one.value()} ${keyword(symbol)} ${other.value()})`,
      greaterScale(one.scale, other.scale),
      Math.max(one.digits, other.digits) + 1,
      Math.max(one.maxScale, other.maxScale),
    ),
  )
}

export function productOf(left: Decimal, right: Decimal): Decimal {
  return calculated(left, right, (one, other) => {
    const [first, second] = [one.scale, other.scale]
    return decimal(
      () => sql`(${one.value()} * ${other.value()})`,
      typeof first === 'number' && typeof second === 'number'
        ? first + second
        : () => sql`(${scaleSql(first)} + ${scaleSql(second)})`,
      one.digits + other.digits,
      one.maxScale + other.maxScale,
    )
  })
}

/** With all digits where they fit, with few otherwise. */
export function calculated(
  left: Decimal,
  right: Decimal,
  calculate: (left: Decimal, right: Decimal) => Decimal,
): Decimal {
  const whole = calculate(left, right)
  if (left.narrow === undefined && right.narrow === undefined) return exact(whole)
  const narrow = () => exact(calculate(left.narrow?.() ?? left, right.narrow?.() ?? right))
  return fits(whole) ? { ...whole, narrow } : narrow()
}

export function greaterScale(
  one: number | (() => Sql),
  other: number | (() => Sql),
): number | (() => Sql) {
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other)
  return () => sql`greatest(${scaleSql(one)}, ${scaleSql(other)})`
}

/**
 * The server computes with nine words of nine digits each, and drops what does not fit behind the point without a word:
 * such arithmetic is refused.
 */
function fits(of: Decimal): boolean {
  const words = Math.ceil(of.digits / 9) + Math.ceil(of.maxScale / 9)
  return words <= 9 && of.maxScale <= mostScale
}

export function exact(of: Decimal): Decimal {
  return fits(of) ? of : refuse('arithmetic with this many digits', undefined)
}

/** Facts of what one of several gives. */
export function widest(
  all: readonly Decimal[],
  scale: number | (() => Sql),
): Pick<Decimal, 'scale' | 'digits' | 'maxScale'> {
  return {
    scale,
    digits: Math.max(1, ...all.map(({ digits }) => digits)),
    maxScale: Math.max(0, ...all.map(({ maxScale }) => maxScale)),
  }
}

/** NULL, which fits everything. */
export const nullDecimal: Decimal = decimal(() => sql`cast(${nullSql} as decimal(1, 0))`, 0, 1, 0)

/**
 * A decimal of which only the text is at hand: in a column of its own, or sent with the request. No more than `textDigits`
 * and `textScale`.
 */
export function decimalInText(text: Sql, context: PrintContext, isNameable: boolean): Decimal {
  const named = (body: (name: Sql) => Sql) =>
    once([{ value: text, kind: 'text' }], context, isNameable, (name = nullSql) => body(name))
  const scale = () => named(scaleOfDigits)
  const few = (name: Sql) =>
    sql`case when ${name} regexp '[0-9]{23}|[.][0-9]{17}' then ${raiseState('0A000')} else ${decimalOfText(name, fewDigits, fewScale)} end`
  return {
    value: () => decimalOfText(text, textDigits, textScale),
    scale,
    text: () => text,
    digits: textDigits,
    maxScale: textScale,
    narrow: () => decimal(() => named(few), scale, fewDigits, fewScale),
  }
}
