/** @module Reading elements of arrays; their form is in `array-item.ts`. */

import type { SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import type { Subscript } from '@engine/core/tree'
import {
  binaryCollation,
  classOfType,
  nullSql,
  type PrintContext,
  refuse,
} from '../../print-context.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { type NamedKind, typeOf } from '../binding/named-value.ts'
import { decimalOfText, textDigits, textScale } from '../decimal/decimal.ts'
import { jsonType } from '../json/server-json.ts'

/** The column of a JSON_TABLE that reads elements of a type: its type there. */
export function elementColumn(type: SqlType, context: PrintContext, position?: number): Sql {
  return typeOf(columnKind(type, context, position), context)
}

function columnKind(type: SqlType, context: PrintContext, position?: number): NamedKind {
  switch (classOfType(type, context)) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return 'integer'
    case 'float8':
      return 'double'
    case 'date':
      return 'date'
    case 'time':
      return 'time'
    case 'timestamp':
      return 'timestamp'
    case 'array':
    case 'record':
    case 'float4':
    case 'interval':
    case 'other':
      return refuse('an array of this type', position)
    default:
      return 'text'
  }
}

/** Converts the value of such a column to the element in the form of expressions. Numerics are text of digits. */
export function elementValue(column: Sql, type: SqlType, context: PrintContext): Sql {
  switch (classOfType(type, context)) {
    case 'text':
    case 'bpchar':
    case 'uuid':
    case 'json':
    case 'jsonb':
      return sql`(${column} collate ${binaryCollation(context)})`
    case 'timestamptz':
      return sql`cast(substring_index(${column}, '+', 1) as datetime(6))`
    case 'bytea':
      return sql`unhex(${column})`
    case 'numeric':
      return decimalOfText(column, textDigits, textScale)
    default:
      return column
  }
}

/** The text of `array[index]`, which counts from 1; NULL outside of the array. */
export function arrayItemText({ operand, index }: Subscript, context: PrintContext): Sql {
  return letExpressions([operand, index], context, (array = nullSql, place = nullSql) => {
    const item = sql`json_extract(${array}, concat('$[', ${place} - 1, ']'))`
    const text = sql`if(${jsonType(item, context)} = 'NULL', null, json_unquote(${item}))`
    return sql`if(${place} < 1, null, cast(${text} as char))`
  })
}
