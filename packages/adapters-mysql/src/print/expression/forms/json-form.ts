/** @module Values as JSON text, in the spelling of PostgreSQL's to_json and similar functions. */

import { oids } from '@engine/core/catalog'
import { commaList, keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, Row, WholeRow } from '@engine/core/tree'
import { notTooLong } from '../../bounded-text.ts'
import { constantText } from '../../constant-text.ts'
import {
  binaryCollation,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  tableText,
} from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { classOf } from '../../type-class.ts'
import { propertiesOf } from '../../value-properties.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { namedValue } from '../binding/named-kind.ts'
import { jsonTable } from '../json/json-table.ts'
import { jsonString } from '../json/json-text.ts'
import { decimalText } from '../numeric/print-decimal.ts'
import { jsonTimestamp, textForm } from './text-form.ts'

/** JSON text that is never NULL: NULL is `null`. */
export function jsonFragment(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'wholeRow') return rowObject(expression, context)
  if (expression.kind === 'row') return recordObject(expression, context)
  const value = jsonValue(expression, context)
  return propertiesOf(expression, context).isNullable ? sql`coalesce(${value}, 'null')` : value
}

/** JSON text; NULL for NULL. */
export function jsonValue(expression: Expression, context: PrintContext): Sql {
  const { type, position } = expression
  if (expression.kind === 'wholeRow') return rowObject(expression, context)
  if (expression.kind === 'row') return recordObject(expression, context)
  const value = () => print(expression, context)
  switch (classOfType(type, context)) {
    case 'bool':
      return sql`elt(${value()} + 1, 'false', 'true')`
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${value()} as char)`
    case 'float8':
      // A temporary table would cut the text at 22 characters; a double has up to 24.
      return sql`cast(${value()} as char(24))`
    case 'float4':
      return letValues([namedValue(expression, context)], context, canBind(expression), realText)
    case 'numeric':
      return decimalText(expression, context)
    case 'bpchar':
    case 'text':
      return jsonString(value())
    case 'uuid':
    case 'date':
    case 'time':
    case 'interval':
      return sql`concat('"', ${textForm(expression, context)}, '"')`
    case 'timestamp':
      return sql`concat('"', ${jsonTimestamp(value())}, '"')`
    case 'timestamptz':
      return sql`concat('"', ${jsonTimestamp(value())}, '+00:00"')`
    case 'bytea':
      return sql`concat('"\\\\\\\\x', lower(hex(${value()})), '"')`
    case 'json':
    case 'jsonb':
      return sql`(${value()} collate ${binaryCollation(context)})`
    case 'record':
      return value()
    case 'array':
      return listForm(expression, context)
    case 'other':
      return refuse(`the type ${context.types.formatType(type.oid, type.typmod)}`, position)
  }
}

/** The server writes six digits of a FLOAT: a number with more, or so small that it has fewer bits, is refused at run time. */
function realText(value: Sql = nullSql): Sql {
  const text = sql`cast(${value} as char(24))`
  const isExact = sql`cast(${text} as float) = ${value} and (abs(${value}) >= 1.1754944e-38 or ${value} = 0)`
  return sql`case when ${isExact} then ${text} when ${value} is not null then cast(${raiseState('0A000')} as char) end`
}

/** Elements that are stored as strings in an array are not always strings in JSON. */
function listForm(expression: Expression, context: PrintContext): Sql {
  const element = context.types.elementTypeOid(expression.type.oid) ?? oids.text
  const value = print(expression, context)
  switch (classOf(context.types, element)) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float8':
    case 'text':
    case 'bpchar':
    case 'uuid':
    case 'date':
    case 'time':
    case 'interval':
      return value
    case 'numeric':
    case 'json':
    case 'jsonb':
      return rewritten(value, expression, context, (item) => item)
    case 'timestamp':
      return rewritten(
        value,
        expression,
        context,
        (item) => sql`concat('"', replace(${item}, ' ', 'T'), '"')`,
      )
    case 'timestamptz':
      return rewritten(
        value,
        expression,
        context,
        (item) => sql`concat('"', replace(${item}, ' ', 'T'), ':00"')`,
      )
    default:
      return refuse('JSON of an array of this type', expression.position)
  }
}

function rewritten(
  value: Sql,
  expression: Expression,
  context: PrintContext,
  change: (item: Sql) => Sql,
): Sql {
  return letValues([{ value, kind: 'text' }], context, canBind(expression), (array = nullSql) => {
    const alias = keyword(`j${context.nextId()}`)
    const items = sql`(select group_concat(coalesce(${change(sql`${alias}.v`)}, 'null') order by ${alias}.n separator ',') from ${jsonTable(array, sql`n for ordinality, v ${tableText(context)} path '$'`, alias, context)})`
    return sql`if(isnull(${array}), null, concat('[', coalesce(${items}, ''), ']'))`
  })
}

/** `{"a":1,"b":"x"}`. Names are sent as values. */
export function rowObject(row: WholeRow, context: PrintContext): Sql {
  const members = row.fields.map(({ name, value }) => ({ name, value }))
  return objectText(members, context)
}

/** `{"f1":1,"f2":"x"}` */
export function recordObject(row: Row, context: PrintContext): Sql {
  const members = row.fields.map((value, index) => ({ name: `f${index + 1}`, value }))
  return objectText(members, context)
}

function objectText(
  members: readonly { readonly name: string; readonly value: Expression }[],
  context: PrintContext,
): Sql {
  if (members.length === 0) return sql`'{}'`
  const parts = members.flatMap(({ name, value }, index) => [
    constantText(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    jsonFragment(value, context),
  ])
  return concatenation([...parts, sql`'}'`])
}

/** Concatenates texts that are never NULL. */
export function concatenation(parts: readonly Sql[]): Sql {
  return notTooLong(sql`concat(${commaList(parts)})`, [])
}
