/** @module Casts, by the classes of both sides. */

import { fractionDigitsOfTypmod, numericOfTypmod, oids, type SqlType } from '@engine/core/catalog'
import { integer, type Sql, sql } from '@engine/core/print'
import type { Cast } from '@engine/core/tree'
import { call, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { checkedInteger } from '../print-number.ts'
import { isFloat, isInteger, lengthOfType, type TypeClass } from '../type-class.ts'
import { elementKind, textForm } from './forms/text-form.ts'

export function printCast(expression: Cast, context: PrintContext): Sql {
  const { operand, type } = expression
  const value = convert(print(operand, context), operand.type, expression, context)
  return type.typmod < 0 ? value : withModifier(value, expression, context)
}

function convert(value: Sql, from: SqlType, expression: Cast, context: PrintContext): Sql {
  const [source, target] = [classOfType(from, context), classOfType(expression.type, context)]
  if (source === 'other' || target === 'other') return refuseCast(from, expression, context)
  if (source === target) {
    return source === 'array' ? convertArray(value, from, expression, context) : value
  }
  const converted =
    target === 'text' || target === 'bpchar'
      ? textForm(value, from, context, expression.position)
      : (fromText(value, source, target) ??
        toNumber(value, source, target) ??
        toMoment(value, source, target) ??
        toDocument(value, source, target))
  return converted ?? refuseCast(from, expression, context)
}

function refuseCast(from: SqlType, expression: Cast, context: PrintContext): never {
  const { type, position } = expression
  const [source, target] = [from, type].map((each) => context.types.formatType(each.oid))
  return refuse(`a cast from ${source} to ${target}`, position)
}

function fromText(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  if (source !== 'text' && source !== 'bpchar') return undefined
  switch (target) {
    case 'bool':
      return call('bool_of_text', value)
    case 'int2':
      return call('int_of_text', value, integer(16))
    case 'int4':
      return call('int_of_text', value, integer(32))
    case 'int8':
      return call('int_of_text', value, integer(64))
    case 'float4':
      return call('float4_of_text', value)
    case 'float8':
      return call('float_of_text', value)
    case 'numeric':
      return call('dec_of_text', value)
    case 'date':
      return call('pg_parse_date', value)
    case 'time':
      return call('pg_parse_time', value)
    case 'timestamp':
      return call('pg_parse_timestamp', value)
    case 'timestamptz':
      return call('pg_parse_timestamptz', value)
    case 'interval':
      return call('interval_of_text', value)
    case 'uuid':
      return call('uuid_of_text', value)
    case 'bytea':
      return call('bytes_of_text', value)
    case 'json':
      return call('pg_json_from_text', value)
    case 'jsonb':
      return call('pg_jsonb', value)
    default:
      return undefined
  }
}

function toNumber(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  if (source === 'jsonb') return fromDocument(value, target)
  if (target === 'bool') return isInteger(source) ? sql`(${value} <> 0)` : undefined
  if (source === 'bool') return isInteger(target) ? value : undefined
  if (isInteger(target)) return toInteger(value, source, target)
  if (isFloat(target)) return toFloat(value, source, target)
  return target === 'numeric' ? toDecimal(value, source) : undefined
}

const widths: Partial<Readonly<Record<TypeClass, number>>> = { int2: 2, int4: 4, int8: 8 }

function toInteger(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  if (isInteger(source)) {
    return (widths[source] ?? 0) <= (widths[target] ?? 0) ? value : checkedInteger(value, target)
  }
  if (isFloat(source)) return checkedInteger(call('float_to_int', value), target)
  return source === 'numeric' ? checkedInteger(call('dec_to_int', value), target) : undefined
}

function toFloat(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  const double = isInteger(source)
    ? sql`cast(${value} as real)`
    : source === 'numeric'
      ? call('dec_to_float', value)
      : isFloat(source)
        ? value
        : undefined
  return double !== undefined && target === 'float4' ? call('float4', double) : double
}

function toDecimal(value: Sql, source: TypeClass): Sql | undefined {
  if (isInteger(source)) return sql`cast(${value} as text)`
  if (source === 'float8') return call('dec_of_float', value)
  return source === 'float4' ? call('dec_of_float4', value) : undefined
}

function fromDocument(value: Sql, target: TypeClass): Sql | undefined {
  if (target === 'bool') return call('jsonb_to_bool', value)
  const number = call('jsonb_to_dec', value)
  return target === 'numeric' ? number : toNumber(number, 'numeric', target)
}

function toMoment(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  switch (`${source} ${target}`) {
    case 'date timestamp':
      return call('pg_to_timestamp_cast', value)
    case 'date timestamptz':
      return call('zoned', call('pg_to_timestamp_cast', value))
    case 'timestamp timestamptz':
      return call('zoned', value)
    case 'timestamptz timestamp':
      return call('unzoned', value)
    case 'timestamp date':
    case 'timestamptz date':
      return call('pg_to_date_cast', value)
    case 'timestamp time':
    case 'timestamptz time':
      return call('pg_to_time_cast', value)
    case 'time interval':
      return value
    case 'interval time':
      return call('interval_to_time', value)
    default:
      return undefined
  }
}

function toDocument(value: Sql, source: TypeClass, target: TypeClass): Sql | undefined {
  if (source === 'json' && target === 'jsonb') return call('pg_jsonb', value)
  return source === 'jsonb' && target === 'json' ? value : undefined
}

/** Elements with the same storage keep it; all elements can become text. */
function convertArray(value: Sql, from: SqlType, expression: Cast, context: PrintContext): Sql {
  const elementOf = (oid: number): SqlType => ({
    oid: context.types.elementTypeOid(oid) ?? oids.text,
    typmod: -1,
  })
  const [source, target] = [elementOf(from.oid), elementOf(expression.type.oid)]
  const [sourceClass, targetClass] = [classOfType(source, context), classOfType(target, context)]
  if (sourceClass === targetClass) return value
  if (isInteger(sourceClass) && isInteger(targetClass)) {
    const isWider = (widths[sourceClass] ?? 0) <= (widths[targetClass] ?? 0)
    if (isWider) return value
  }
  if (targetClass === 'text') {
    return call('array_as_text', value, elementKind(source, context, expression.position))
  }
  return refuseCast(from, expression, context)
}

/** Applies the modifier of the target: rounds, cuts, pads or refuses. */
function withModifier(value: Sql, expression: Cast, context: PrintContext): Sql {
  const { type, isExplicit, position } = expression
  switch (classOfType(type, context)) {
    case 'numeric': {
      const modifiers = numericOfTypmod(type.typmod)
      if (modifiers === undefined) return value
      return call('dec_fit', value, integer(modifiers.precision), integer(modifiers.scale))
    }
    case 'text': {
      const length = lengthOfType(type)
      if (length === undefined) return value
      const name = integer(length)
      return isExplicit
        ? call('pg_varchar_cut', value, name)
        : call('pg_varchar_check', value, name)
    }
    case 'bpchar': {
      const length = integer(lengthOfType(type) ?? 1)
      const fitted = isExplicit
        ? call('pg_varchar_cut', value, length)
        : call('pg_varchar_check', value, length)
      return call('bpchar_pad', fitted, length)
    }
    case 'timestamp':
    case 'timestamptz': {
      const digits = fractionDigitsOfTypmod(type.oid, type.typmod)
      return call('pg_ts_precision', value, integer(digits))
    }
    case 'time':
      return call(
        'pg_time_precision',
        value,
        integer(fractionDigitsOfTypmod(type.oid, type.typmod)),
      )
    case 'interval':
    case 'array':
      return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
    default:
      return value
  }
}
