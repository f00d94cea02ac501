/** @module Values as PostgreSQL writes them: the result of a cast to text. */
import { oids, type SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import { call, classOfType, type PrintContext, refuse } from '../../print-context.ts'

/** `value` in the form of expressions, of type `type`, as text. */
export function textForm(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  const typeClass = classOfType(type, context)
  switch (typeClass) {
    case 'text':
    case 'numeric':
    case 'uuid':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'interval':
    case 'json':
    case 'jsonb':
      return value
    case 'bpchar':
      return sql`rtrim(${value}, ' ')`
    case 'bool':
      return call('bool_text', value)
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${value} as text)`
    case 'float8':
      return call('float_text', value)
    case 'float4':
      return call('float4_text', value)
    case 'bytea':
      return call('bytes_text', value)
    case 'array': {
      const element = context.types.elementTypeOid(type.oid) ?? oids.text
      return call('array_text', value, elementKind({ oid: element, typmod: -1 }, context, position))
    }
    case 'record':
    case 'other':
      return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
  }
}

const kinds = {
  bool: sql`bool`,
  int2: sql`int2`,
  int4: sql`int4`,
  int8: sql`int8`,
  float4: sql`float4`,
  float8: sql`float8`,
  numeric: sql`numeric`,
  text: sql`text`,
  bpchar: sql`text`,
  uuid: sql`text`,
  bytea: sql`bytea`,
  date: sql`text`,
  time: sql`text`,
  timestamp: sql`timestamp`,
  timestamptz: sql`timestamptz`,
  interval: sql`text`,
  json: sql`json`,
  jsonb: sql`jsonb`,
} as const

/** The text of the type's output function: used by concat and format. */
export function outputForm(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  const typeClass = classOfType(type, context)
  if (typeClass === 'bool') return sql`case ${value} when 1 then 't' when 0 then 'f' end`
  return typeClass === 'bpchar' ? value : textForm(value, type, context, position)
}

/** As a key of a JSON object: timestamps as in JSON. */
export function keyForm(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  switch (classOfType(type, context)) {
    case 'timestamp':
      return sql`replace(${value}, ' ', 'T')`
    case 'timestamptz':
      return sql`replace(replace(${value}, ' ', 'T'), '+00', '+00:00')`
    case 'array':
    case 'record':
    case 'json':
    case 'jsonb':
      return refuse('a JSON key of this type', position)
    default:
      return textForm(value, type, context, position)
  }
}

/** The storage and spelling of an array's elements: a word for the adapter's functions. */
export function elementKind(
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  const typeClass = classOfType(type, context)
  switch (typeClass) {
    case 'other':
    case 'record':
    case 'array':
      return refuse('an array of this type', position)
    default:
      return sql`'${kinds[typeClass]}'`
  }
}
