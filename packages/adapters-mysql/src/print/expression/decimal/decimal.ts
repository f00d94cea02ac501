/**
 * @module Numerics. PostgreSQL shows each numeric with a scale of its own; a DECIMAL has one scale for all rows. So a numeric is
 * printed as up to three parts: its value, the scale that PostgreSQL would show, and its text.
 */
import { integer, type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'

export interface Decimal {
  /** A DECIMAL with PostgreSQL's value exactly; it may have more zeros at its end. */
  readonly value: () => Sql
  /** Digits after the point that PostgreSQL shows: the same for every row, or an expression. */
  readonly scale: number | (() => Sql)
  /** The digits as PostgreSQL shows them. */
  readonly text: () => Sql
  /** Most digits before the point, and after it. */
  readonly digits: number
  readonly maxScale: number
  /** The same with fewer digits; fails where a value has more. Set where values may have many digits, but rarely do. */
  readonly narrow?: () => Decimal
  /** The same with at most this many digits after the point; fails where a value has more. */
  readonly within?: (maxScale: number) => Decimal
  /** The calculation of its value; set where the scale varies. */
  readonly calculation?: Calculation | undefined
}

/** `make` uses the value and the scale of each operand once. */
export interface Calculation {
  readonly operands: readonly Decimal[]
  readonly make: (operands: readonly Decimal[]) => Decimal
}

/** Digits of a numeric that is sent with a request, or stored as text. */
export const textDigits = 35
export const textScale = 30

/** The same for a numeric in a calculation, where all digits would be too many. */
export const fewDigits = 22
export const fewScale = 16

/** A value with a scale. Its text has that scale, whatever the type of the value. */
export function decimal(
  value: () => Sql,
  scale: number | (() => Sql),
  digits: number,
  maxScale: number,
): Decimal {
  const [known, shown] = [lazy(value), typeof scale === 'number' ? scale : lazy(scale)]
  const text = lazy(() => formatted(known(), scaleSql(shown)))
  return { value: known, scale: shown, digits, maxScale, text }
}

/** A column with this scale. */
export function decimalColumn(value: () => Sql, digits: number, scale: number): Decimal {
  const within = (maxScale: number) => {
    const checked = () =>
      sql`case when ${value()} <> truncate(${value()}, ${integer(maxScale)}) then ${raiseState('0A000')} else ${value()} end`
    return decimal(checked, scale, digits, maxScale)
  }
  return { ...decimal(value, scale, digits, scale), within }
}

/** Calls `make` once. */
export function lazy<Answer extends object>(make: () => Answer): () => Answer {
  let answer: Answer | undefined
  return () => {
    answer ??= make()
    return answer
  }
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

/** A DECIMAL from a text that contains no more digits. */
export function decimalOfText(text: Sql, digits: number, scale: number): Sql {
  return sql`cast(${text} as decimal(${integer(digits + scale)}, ${integer(scale)}))`
}

/** With exactly this scale. */
export function withScale({ value, digits }: Decimal, scale: number): Sql {
  return decimalOfText(value(), Math.min(65 - scale, Math.max(digits, 1)), scale)
}

export function greaterScale(
  one: number | (() => Sql),
  other: number | (() => Sql),
): number | (() => Sql) {
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other)
  return () => sql`greatest(${scaleSql(one)}, ${scaleSql(other)})`
}

/**
 * The server computes with nine words of nine digits each, and drops digits after the point that do not fit, without an error:
 * such arithmetic is refused.
 */
export function fits(of: Decimal, { traits }: PrintContext): boolean {
  const words = Math.ceil(of.digits / 9) + Math.ceil(of.maxScale / 9)
  return words <= 9 && of.maxScale <= traits.mostScale
}

export function exact(of: Decimal, context: PrintContext): Decimal {
  return fits(of, context) ? of : refuse('arithmetic with this many digits', undefined)
}

/** The properties of a value that is one of several. */
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

/** NULL, which is valid for every scale. */
export const nullDecimal: Decimal = decimal(() => sql`cast(${nullSql} as decimal(1, 0))`, 0, 1, 0)

/** A decimal that is available as text only: in a column, or sent with the request. At most `textDigits` and `textScale`. */
export function decimalInText(
  make: () => Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Decimal {
  const text = lazy(make)
  const named = (body: (name: Sql) => Sql) =>
    letValues([{ value: text(), kind: 'text' }], context, canBeNamed, (name = nullSql) =>
      body(name),
    )
  const scale = lazy(() => named(scaleOfDigits))
  const atMost = (digits: number, maxScale: number): Decimal => {
    const checked = (use: (name: Sql) => Sql) =>
      lazy(() =>
        named((name) => {
          const isLong = sql`${name} regexp '[0-9]{${integer(digits + 1)}}|[.][0-9]{${integer(maxScale + 1)}}'`
          return sql`case when ${isLong} then ${raiseState('0A000')} else ${use(name)} end`
        }),
      )
    return {
      value: checked((name) => decimalOfText(name, digits, maxScale)),
      scale,
      text: checked((name) => name),
      digits,
      maxScale,
    }
  }
  const narrow = lazy(() => atMost(fewDigits, fewScale))
  return {
    value: lazy(() => decimalOfText(text(), textDigits, textScale)),
    scale,
    text,
    digits: textDigits,
    maxScale: textScale,
    narrow,
    within: (maxScale) => ({ ...atMost(textDigits, maxScale), narrow }),
  }
}
