/** @module Values as JSON text, in the spelling of PostgreSQL's to_json and similar functions. */

import { oids, type SqlType } from '@engine/core/catalog'
import { parameter, type Sql, sql } from '@engine/core/print'
import type { Expression, Row, WholeRow } from '@engine/core/tree'
import { hasBoundedLength } from '../../bounded-text.ts'
import { call, classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import type { TypeClass } from '../../type-class.ts'
import { propertiesOf } from '../../value-properties.ts'
import { elementKind } from './text-form.ts'

/** JSON text that is never NULL: NULL is `null`. */
export function jsonFragment(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'wholeRow') return rowObject(expression, context)
  if (expression.kind === 'row') return recordObject(expression, context)
  const typeClass = classOfType(expression.type, context)
  if (typeClass === 'bool') {
    const value = print(expression, context)
    return sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`
  }
  // SQLite's own function writes NULL as null.
  if (quotedClasses.has(typeClass)) return call('json_quote', print(expression, context))
  const value = jsonValue(expression, context)
  return propertiesOf(expression, context).isNullable ? sql`ifnull(${value}, 'null')` : value
}

const quotedClasses: ReadonlySet<TypeClass> = new Set([
  'text',
  'bpchar',
  'uuid',
  'date',
  'time',
  'interval',
])

/** JSON text; NULL for NULL. */
export function jsonValue(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'wholeRow') return rowObject(expression, context)
  const { scale } = propertiesOf(expression, context)
  const value = print(expression, context)
  const isPlainDecimal = scale !== undefined
  return isPlainDecimal ? value : jsonForm(value, expression.type, context, expression.position)
}

/** JSON text of a value in the form of expressions; NULL for NULL. */
export function jsonForm(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  switch (classOfType(type, context)) {
    case 'bool':
      return call('bool_text', value)
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${value} as text)`
    case 'numeric':
      return call('dec_json', value)
    case 'float4':
      return call('float4_json', value)
    case 'float8':
      return call('float_json', value)
    case 'text':
    case 'bpchar':
    case 'uuid':
    case 'date':
    case 'time':
    case 'interval':
      return call('pg_to_json_text', value)
    case 'timestamp':
      return call('pg_to_json_timestamp', value)
    case 'timestamptz':
      return call('pg_to_json_timestamptz', value)
    case 'bytea':
      return call('bytes_json', value)
    case 'json':
    case 'jsonb':
    case 'record':
      return value
    case 'array': {
      const element = context.types.elementTypeOid(type.oid) ?? oids.text
      return call('array_json', value, elementKind({ oid: element, typmod: -1 }, context, position))
    }
    case 'other':
      return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
  }
}

/** `{"a":1,"b":"x"}`. Names are sent as values. */
export function rowObject(row: WholeRow, context: PrintContext): Sql {
  if (row.fields.length === 0) return sql`'{}'`
  const parts = row.fields.flatMap(({ name, value }, index) => [
    constantText(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    jsonFragment(value, context),
  ])
  const haveBoundedLength = row.fields.every(({ value }) => hasBoundedLength(value, context))
  return boundedConcatenation([...parts, sql`'}'`], haveBoundedLength)
}

/** `{"f1":1,"f2":"x"}` */
export function recordObject(row: Row, context: PrintContext): Sql {
  const parts = row.fields.flatMap((field, index) => [
    constantText(`${index === 0 ? '{' : ','}"f${index + 1}":`),
    jsonFragment(field, context),
  ])
  const haveBoundedLength = row.fields.every((each) => hasBoundedLength(each, context))
  return row.fields.length === 0
    ? sql`'{}'`
    : boundedConcatenation([...parts, sql`'}'`], haveBoundedLength)
}

/** Concatenates texts that are never NULL without building a deep expression. */
export function concatenation(parts: readonly Sql[]): Sql {
  return joinedBy((...some) => call('concat', ...some), parts, 900)
}

/** The same where parts may be long themselves: it fails above a limit. */
export function boundedConcatenation(parts: readonly Sql[], haveBoundedLength: boolean): Sql {
  return haveBoundedLength
    ? concatenation(parts)
    : joinedBy((...some) => call('text_join', ...some), parts, 90)
}

function joinedBy(
  join: (...some: readonly Sql[]) => Sql,
  parts: readonly Sql[],
  most: number,
): Sql {
  if (parts.length <= most) return join(...parts)
  const chunks = Array.from({ length: Math.ceil(parts.length / most) }, (_, index) =>
    join(...parts.slice(index * most, (index + 1) * most)),
  )
  return joinedBy(join, chunks, most)
}

export function constantText(value: string): Sql {
  return parameter({ from: 'constant', value, type: { oid: oids.text, typmod: -1 } })
}
