/**
 * @module Numerics. PostgreSQL's numeric shows each value with a scale of its own; a DECIMAL has one scale for all rows. So
 * a numeric is printed as up to three things: its value, the scale that PostgreSQL would show, and its text.
 */
import { integer, keyword, type Sql, sql } from '@engine/core'
import { call, nullSql, type PrintContext, refuse } from './print-context.ts'

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
}

/** Digits of a numeric that is sent with a request, or read out of a text. */
export const parameterDigits = 22
export const parameterScale = 16

/** Digits of a numeric column that is kept as text. */
export const textDigits = 35
export const textScale = 30

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
  return decimal(() => sql`(- ${of.value()})`, of.scale, of.digits, of.maxScale)
}

export function absolute(of: Decimal): Decimal {
  return decimal(() => call('abs', of.value()), of.scale, of.digits, of.maxScale)
}

export function sumOf(symbol: '+' | '-', left: Decimal, right: Decimal): Decimal {
  return exact(
    decimal(
      () => sql`(${left.value()} ${keyword(symbol)} ${right.value()})`,
      greaterScale(left.scale, right.scale),
      Math.max(left.digits, right.digits) + 1,
      Math.max(left.maxScale, right.maxScale),
    ),
  )
}

export function productOf(left: Decimal, right: Decimal): Decimal {
  const [one, other] = [left.scale, right.scale]
  return exact(
    decimal(
      () => sql`(${left.value()} * ${right.value()})`,
      typeof one === 'number' && typeof other === 'number'
        ? one + other
        : () => sql`(${scaleSql(one)} + ${scaleSql(other)})`,
      left.digits + right.digits,
      left.maxScale + right.maxScale,
    ),
  )
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
export function exact(of: Decimal): Decimal {
  const words = Math.ceil(of.digits / 9) + Math.ceil(of.maxScale / 9)
  return words > 9 || of.maxScale > mostScale
    ? refuse('arithmetic with this many digits', undefined)
    : of
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

/** A decimal of which only the text is at hand, in a column of its own. */
export function decimalInText(text: Sql, _context: PrintContext): Decimal {
  return {
    value: () => decimalOfText(text, textDigits, textScale),
    scale: () => scaleOfDigits(text),
    text: () => text,
    digits: textDigits,
    maxScale: textScale,
  }
}
