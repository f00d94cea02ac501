/** @module Casts to numeric. */

import { numericOfTypmod } from '@engine/core/catalog'
import { integer, keyword, type Sql, sql } from '@engine/core/print'
import type { Cast, Expression } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import type { TypeClass } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { matchedText } from '../comparison/matched-text.ts'
import {
  type Decimal,
  decimal,
  decimalInText,
  decimalOfText,
  fewDigits,
  fewScale,
  formatted,
  lazy,
  scaleOfDigits,
  textDigits,
  textScale,
} from '../decimal/decimal.ts'
import { documentOf } from '../json/document.ts'
import { spacedJson } from '../json/json-text.ts'
import { jsonType } from '../json/server-json.ts'

type DecimalOf = (expression: Expression, context: PrintContext) => Decimal

export function decimalCast(
  expression: Cast,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const canBeNamed = canBind(expression.operand)
  const converted = convert(expression, context, decimalOf, canBeNamed)
  return expression.type.typmod < 0 ? converted : fitted(converted, expression, context, canBeNamed)
}

const integerDigits: Partial<Readonly<Record<TypeClass, number>>> = { int2: 5, int4: 10, int8: 19 }

function convert(
  { operand, type, position }: Cast,
  context: PrintContext,
  decimalOf: DecimalOf,
  canBeNamed: boolean,
): Decimal {
  const typeClass = classOfType(operand.type, context)
  const value = () => print(operand, context)
  const digits = integerDigits[typeClass]
  if (digits !== undefined) {
    return decimal(() => decimalOfText(value(), digits, 0), 0, digits, 0)
  }
  switch (typeClass) {
    case 'numeric':
      return decimalOf(operand, context)
    case 'float8':
      return ofDouble(value(), context, canBeNamed)
    case 'float4':
      return ofDigits(sql`cast(${value()} as char)`, context, canBeNamed)
    case 'text':
    case 'bpchar':
      return ofText(value(), context, canBeNamed)
    case 'jsonb':
      return ofDocument(documentOf(operand, context), context, canBeNamed)
    default: {
      const name = context.types.formatType(operand.type.oid)
      return refuse(`a cast from ${name} to ${context.types.formatType(type.oid)}`, position)
    }
  }
}

/**
 * PostgreSQL takes the first 15 digits of the double. The server has only its shortest text: where that ends in a five after
 * these, the direction of rounding is unknown.
 */
function ofDouble(value: Sql, context: PrintContext, canBeNamed: boolean): Decimal {
  const make = (use: (rounded: Sql) => Sql) =>
    letValues([{ value, kind: 'double' }], context, canBeNamed, (name = nullSql) => {
      const size = sql`abs(${name})`
      const all = { value: decimalOfText(name, textDigits, textScale), kind: textScale }
      const digits = letValues([all], context, canBeNamed, (exactly = nullSql) => {
        const places = { value: sql`(14 - ${exponentOf(exactly)})`, kind: 'integer' } as const
        return letValues([places], context, canBeNamed, (place = nullSql) => {
          const isHalf = sql`(truncate(2 * ${exactly}, ${place}) = 2 * ${exactly} and truncate(${exactly}, ${place}) <> ${exactly})`
          return sql`case when ${isHalf} then ${raiseState('0A000')} else ${use(sql`round(${exactly}, ${place})`)} end`
        })
      })
      return sql`case when ${size} >= 1e35 or (${size} < 1e-14 and ${name} <> 0) then ${raiseState('0A000')} else ${digits} end`
    })
  const text = () => make((rounded) => trimmed(sql`cast(${rounded} as char)`))
  return {
    ...decimalInText(text, context, canBeNamed),
    value: lazy(() => make((rounded) => rounded)),
  }
}

function trimmed(text: Sql): Sql {
  return sql`trim(trailing '.' from trim(trailing '0' from ${text}))`
}

/** The power of ten of the first digit. */
function exponentOf(value: Sql): Sql {
  const digits = formatted(sql`abs(${value})`, sql`30`)
  const fraction = sql`substring(${digits}, 3)`
  return sql`if(abs(${value}) >= 1, locate('.', ${digits}) - 2, char_length(trim(leading '0' from ${fraction})) - 31)`
}

/** Digits of a float4, which may have an exponent. */
function ofDigits(text: Sql, context: PrintContext, canBeNamed: boolean): Decimal {
  const make = () =>
    letValues([{ value: text, kind: 'text' }], context, canBeNamed, (name = nullSql) => {
      const whole = sql`trim(trailing '.' from trim(trailing '0' from cast(cast(${name} as decimal(65, 30)) as char)))`
      const isFar = sql`${name} regexp 'e([2-9][0-9]|3[0-9]|-1[0-9]|-[2-9][0-9])'`
      return sql`case when ${isFar} then ${raiseState('0A000')} else ${whole} end`
    })
  return decimalInText(make, context, canBeNamed)
}

/** With or without an exponent. A text with many digits is refused at run time. */
function ofText(value: Sql, context: PrintContext, canBeNamed: boolean): Decimal {
  const make = (use: (digits: Sql) => Sql) =>
    letValues([{ value, kind: 'text' }], context, canBeNamed, (text = nullSql) => {
      const digits = matchedText(sql`regexp_substr(${text}, '[-+.0-9eE]+')`, context)
      const isNumber = sql`${text} regexp '^[[:space:]]*[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,2})?[[:space:]]*$'`
      const isOther = sql`lower(${text}) regexp '^[[:space:]]*[-+]?(nan|inf|infinity|[0-9.]+e[-+]?[0-9]+)[[:space:]]*$'`
      const isLong = sql`(abs(cast(${digits} as double)) >= 1e22 or ${scaleOfNumber(digits)} > ${integer(fewScale)} or ${text} regexp '[0-9]{36}')`
      return sql`case when not ${isNumber} then if(${isOther}, ${raiseState('0A000')}, ${raiseState('22P02')}) when ${isLong} then ${raiseState('0A000')} else ${use(digits)} end`
    })
  const number = (digits: Sql) => decimalOfText(digits, fewDigits, fewScale)
  return {
    value: lazy(() => make(number)),
    text: lazy(() => make((digits) => formatted(number(digits), scaleOfNumber(digits)))),
    scale: lazy(() => make(scaleOfNumber)),
    digits: fewDigits,
    maxScale: fewScale,
  }
}

/** The scale of digits that may have an exponent, which moves the point. */
function scaleOfNumber(digits: Sql): Sql {
  const mantissa = sql`substring_index(lower(${digits}), 'e', 1)`
  const exponent = sql`if(locate('e', lower(${digits})) = 0, 0, cast(substring_index(lower(${digits}), 'e', -1) as signed))`
  return sql`greatest(${scaleOfDigits(mantissa)} - ${exponent}, 0)`
}

function ofDocument(value: Sql, context: PrintContext, canBeNamed: boolean): Decimal {
  const make = () =>
    letValues([{ value, kind: 'document' }], context, canBeNamed, (document = nullSql) => {
      const text = sql`trim(${spacedJson(document)})`
      const far = sql`(${text} regexp '[eE]|[0-9]{${keyword(`${fewDigits + 1}`)}}|[.][0-9]{${keyword(`${fewScale + 1}`)}}')`
      return sql`case when ${jsonType(document, context)} not in ('INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER') then ${raiseState('22023')} when ${far} then ${raiseState('0A000')} else ${text} end`
    })
  return decimalInText(make, context, canBeNamed)
}

/** Rounded to `numeric(p, s)`; 22003 where it does not fit. */
function fitted(
  of: Decimal,
  { type, position }: Cast,
  context: PrintContext,
  canBeNamed: boolean,
): Decimal {
  const modifiers = numericOfTypmod(type.typmod)
  if (modifiers === undefined) return of
  const { precision, scale } = modifiers
  if (precision > 65 || scale > 38 || scale < 0 || scale > precision) {
    return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
  }
  const whole = precision - scale
  const rounded = () =>
    of.maxScale <= scale ? of.value() : sql`round(${of.value()}, ${keyword(`${scale}`)})`
  const value = () =>
    // Rounding may add one digit before the point.
    of.digits + (of.maxScale > scale ? 1 : 0) <= whole
      ? rounded()
      : letValues([{ value: rounded(), kind: scale }], context, canBeNamed, (name = nullSql) => {
          const limit = keyword(`1${'0'.repeat(whole)}`)
          return sql`case when abs(${name}) >= ${limit} then ${raiseState('22003')} else ${name} end`
        })
  return decimal(value, scale, whole, scale)
}
