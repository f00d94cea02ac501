/** @module Casts, by the classes of both sides. Those to numeric are in `decimal-cast.ts`. */

import { fractionDigitsOfTypmod, type SqlType } from '@engine/core/catalog'
import { integer, type Sql, sql } from '@engine/core/print'
import type { Cast } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, print, refuse } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { isFloat, isInteger, lengthOfType, type TypeClass } from '../type-class.ts'
import { canBind } from './binding/can-bind.ts'
import { letValues } from './binding/let-binding.ts'
import type { NamedKind } from './binding/named-value.ts'
import { castArray } from './cast-array.ts'
import { castText } from './cast-text.ts'
import { checkedInteger, wholeOfDecimal, wholeOfDouble } from './decimal/print-number.ts'
import { textForm } from './forms/text-form.ts'
import { namedDocument } from './json/document.ts'
import { spacedJson } from './json/json-text.ts'
import { jsonType } from './json/server-json.ts'
import { decimalOf } from './numeric/print-decimal.ts'
import { microsecondsOfTime } from './time/interval.ts'

export function printCast(expression: Cast, context: PrintContext): Sql {
  const value = convert(expression, context)
  return expression.type.typmod < 0 ? value : withModifier(value, expression, context)
}

function convert(expression: Cast, context: PrintContext): Sql {
  const { operand, type } = expression
  const [source, target] = [classOfType(operand.type, context), classOfType(type, context)]
  if (source === 'other' || target === 'other') return refuseCast(operand.type, expression, context)
  if (source === target) {
    return source === 'array' ? castArray(expression, context) : print(operand, context)
  }
  if (target === 'text' || target === 'bpchar') return textForm(operand, context)
  const canBeNamed = canBind(operand)
  const converted =
    source === 'text' || source === 'bpchar'
      ? castText(expression, target, context)
      : (toNumber(expression, source, target, context, canBeNamed) ??
        toMoment(print(operand, context), source, target) ??
        toDocument(print(operand, context), source, target))
  return converted ?? refuseCast(operand.type, expression, context)
}

function refuseCast(from: SqlType, expression: Cast, context: PrintContext): never {
  const { type, position } = expression
  const [source, target] = [from, type].map((each) => context.types.formatType(each.oid))
  return refuse(`a cast from ${source} to ${target}`, position)
}

const widths: Partial<Readonly<Record<TypeClass, number>>> = { int2: 2, int4: 4, int8: 8 }

function toNumber(
  expression: Cast,
  source: TypeClass,
  target: TypeClass,
  context: PrintContext,
  canBeNamed: boolean,
): Sql | undefined {
  const { operand } = expression
  const value = () => print(operand, context)
  if (source === 'jsonb') return fromDocument(expression, target, context, canBeNamed)
  if (target === 'bool') return isInteger(source) ? sql`(${value()} <> 0)` : undefined
  if (source === 'bool') return isInteger(target) ? value() : undefined
  if (isInteger(target)) {
    if (isInteger(source)) {
      const isWider = (widths[source] ?? 0) <= (widths[target] ?? 0)
      return isWider ? value() : checkedInteger(value(), target)
    }
    if (isFloat(source)) return checkedInteger(wholeOfDouble(value()), target)
    if (source !== 'numeric') return undefined
    return checkedInteger(wholeOfDecimal(decimalOf(operand, context).value()), target)
  }
  if (!isFloat(target)) return undefined
  const isNumber = isInteger(source) || isFloat(source) || source === 'numeric'
  if (!isNumber) return undefined
  const double = isFloat(source) ? value() : sql`cast(${value()} as double)`
  return target === 'float4' && source !== 'float4'
    ? float4(source === 'float8' ? value() : double, context, canBeNamed)
    : sql`cast(${double} as double)`
}

function float4(value: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return letValues([{ value, kind: 'double' }], context, canBeNamed, (name = nullSql) => {
    const isOut = sql`(abs(${name}) >= 3.4028235677973366e38 or (abs(${name}) <= 7.006492321624085e-46 and ${name} <> 0))`
    const kept = context.traits.faults.refusesRoundedFloats
      ? sql`least(greatest(${name}, -3.4028234663852886e38), 3.4028234663852886e38)`
      : name
    return sql`cast(case when ${isOut} then ${raiseState('22003')} else ${kept} end as float)`
  })
}

/** Only for numbers and booleans of JSON. */
function fromDocument(
  { operand }: Cast,
  target: TypeClass,
  context: PrintContext,
  canBeNamed: boolean,
): Sql | undefined {
  const document = [namedDocument(operand, context)]
  const when = (types: Sql, use: (name: Sql) => Sql) =>
    letValues(
      document,
      context,
      canBeNamed,
      (name = nullSql) =>
        sql`case when ${jsonType(name, context)} in (${types}) then ${use(name)} when ${name} is not null then ${raiseState('22023')} end`,
    )
  if (target === 'bool') {
    return when(sql`'BOOLEAN'`, (name) => sql`(${spacedJson(name)} = 'true')`)
  }
  const numbers = sql`'INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER'`
  if (isFloat(target)) return when(numbers, (name) => sql`cast(${spacedJson(name)} as double)`)
  if (!isInteger(target)) return undefined
  return when(numbers, (name) => {
    const text = spacedJson(name)
    const isFar = sql`${text} regexp '[eE]|[0-9]{36}|[.][0-9]{31}'`
    const whole = checkedInteger(wholeOfDecimal(sql`cast(${text} as decimal(65, 30))`), target)
    return sql`case when ${isFar} then ${raiseState('0A000')} else ${whole} end`
  })
}

function toMoment(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  switch (`${source} ${target}`) {
    case 'date timestamp':
    case 'date timestamptz':
      return sql`cast(${value} as datetime(6))`
    case 'timestamp timestamptz':
    case 'timestamptz timestamp':
      return value
    case 'timestamp date':
    case 'timestamptz date':
      return sql`cast(${value} as date)`
    case 'timestamp time':
    case 'timestamptz time':
      return sql`cast(${value} as time(6))`
    default:
      return undefined
  }
}

function toDocument(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  if (source === 'json' && target === 'jsonb') return value
  return source === 'jsonb' && target === 'json' ? value : undefined
}

const kinds: Partial<Readonly<Record<TypeClass, NamedKind>>> = {
  text: 'text',
  bpchar: 'text',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  time: 'time',
}

/** Applies the modifier of the target: rounds, cuts, pads or refuses. */
function withModifier(value: Sql, expression: Cast, context: PrintContext): Sql {
  const { type, isExplicit, position } = expression
  const typeClass = classOfType(type, context)
  switch (typeClass) {
    case 'text':
    case 'bpchar': {
      const length = lengthOfType(type)
      if (length === undefined) return value
      const fitted = isExplicit
        ? sql`left(${value}, ${integer(length)})`
        : checkedLength(value, length, expression, context)
      return typeClass === 'bpchar' ? sql`rpad(${fitted}, ${integer(length)}, ' ')` : fitted
    }
    case 'timestamp':
    case 'timestamptz':
    case 'time': {
      const digits = fractionDigitsOfTypmod(type.oid, type.typmod)
      if (digits >= 6) return value
      const kind = kinds[typeClass] ?? 'timestamp'
      return letValues([{ value, kind }], context, canBind(expression.operand), (name = nullSql) =>
        typeClass === 'time'
          ? roundedTime(name, digits, context)
          : roundedMoment(name, digits, context),
      )
    }
    case 'interval':
    case 'array':
      return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
    default:
      return value
  }
}

/** Blanks beyond the limit are cut off, any other character raises 22001. */
function checkedLength(value: Sql, length: number, expression: Cast, context: PrintContext): Sql {
  const canBeNamed = canBind(expression.operand)
  return letValues([{ value, kind: 'text' }], context, canBeNamed, (name = nullSql) => {
    const isLong = sql`char_length(trim(trailing ' ' from ${name})) > ${integer(length)}`
    return sql`if(${isLong}, ${raiseState('22001')}, left(${name}, ${integer(length)}))`
  })
}

function roundedTime(value: Sql, digits: number, context: PrintContext): Sql {
  const half = 5 * 10 ** (5 - digits)
  const unit = integer(half * 2)
  const micros = sql`(${microsecondsOfTime(value, context)} + ${integer(half)})`
  return sql`sec_to_time(floor(${micros} / ${unit}) * ${unit} * 0.000001)`
}

/** Rounds halves up; before 2000 down, as PostgreSQL counts from there. */
function roundedMoment(value: Sql, digits: number, { traits }: PrintContext): Sql {
  const isEarly = sql`${value} < '2000-01-01'`
  const type = sql`datetime(${integer(digits)})`
  if (traits.roundsFractions) {
    return sql`cast(if(${isEarly}, date_sub(${value}, interval 1 microsecond), ${value}) as ${type})`
  }
  const half = 5 * 10 ** (5 - digits)
  const late = sql`date_add(${value}, interval ${integer(half)} microsecond)`
  const early = sql`date_add(${value}, interval ${integer(half - 1)} microsecond)`
  return sql`cast(if(${isEarly}, ${early}, ${late}) as ${type})`
}
