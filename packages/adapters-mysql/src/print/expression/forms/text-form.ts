/** @module Values as PostgreSQL writes them: the result of a cast to text. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import {
  binaryCollation,
  call,
  classOfType,
  type PrintContext,
  print,
  refuse,
} from '../../print-context.ts'
import { arrayText } from '../array/array-text.ts'
import { canBind } from '../binding/can-bind.ts'
import { isGiven } from '../comparison/loose-column.ts'
import { documentOf } from '../json/document.ts'
import { jsonbText } from '../json/jsonb-text.ts'
import { decimalText } from '../numeric/print-decimal.ts'
import { intervalText } from '../time/interval.ts'
import { floatText } from './float-text.ts'

/** The value of an expression as text. */
export function textForm(expression: Expression, context: PrintContext): Sql {
  const { type, position } = expression
  const value = () => print(expression, context)
  switch (classOfType(type, context)) {
    case 'text':
    case 'uuid':
      return value()
    case 'bpchar':
      return sql`trim(trailing ' ' from ${value()})`
    case 'bool':
      return sql`elt(${value()} + 1, 'false', 'true')`
    case 'int2':
    case 'int4':
    case 'int8':
    case 'date':
      return sql`cast(${value()} as char)`
    case 'numeric':
      return decimalText(expression, context)
    case 'float8':
      return floatText(value(), context, canBind(expression))
    case 'time':
      return timeText(value())
    case 'timestamp':
      return timestampText(value())
    case 'timestamptz':
      return sql`concat(${timestampText(value())}, '+00')`
    case 'interval':
      return intervalText(expression, context)
    case 'json':
      return sql`(${value()} collate ${binaryCollation(context)})`
    case 'jsonb':
      // A value is sent as jsonb prints it.
      return context.traits.hasJsonType && isGiven(expression)
        ? value()
        : jsonbText(documentOf(expression, context), context, canBind(expression))
    case 'bytea':
      return sql`concat('\\\\x', lower(hex(${value()})))`
    case 'array':
      return arrayText(expression, context)
    case 'float4':
    case 'record':
    case 'other':
      return refuse(`text of the type ${context.types.formatType(type.oid, type.typmod)}`, position)
  }
}

/** The text of the type's output function: used by concat and format. */
export function outputForm(expression: Expression, context: PrintContext): Sql {
  switch (classOfType(expression.type, context)) {
    case 'bool':
      return sql`elt(${print(expression, context)} + 1, 'f', 't')`
    case 'bpchar':
      return print(expression, context)
    default:
      return textForm(expression, context)
  }
}

/** As a key of a JSON object: timestamps as in JSON. */
export function keyForm(expression: Expression, context: PrintContext): Sql {
  switch (classOfType(expression.type, context)) {
    case 'timestamp':
      return jsonTimestamp(print(expression, context))
    case 'timestamptz':
      return sql`concat(${jsonTimestamp(print(expression, context))}, '+00:00')`
    case 'array':
    case 'record':
    case 'json':
    case 'jsonb':
      return refuse('a JSON key of this type', expression.position)
    default:
      return textForm(expression, context)
  }
}

/** Without the zeros at the end of the fraction. */
export function timestampText(value: Sql): Sql {
  return trimmedFraction(call('date_format', value, sql`'%Y-%m-%d %H:%i:%s.%f'`))
}

export function jsonTimestamp(value: Sql): Sql {
  return trimmedFraction(call('date_format', value, sql`'%Y-%m-%dT%H:%i:%s.%f'`))
}

export function timeText(value: Sql): Sql {
  return trimmedFraction(sql`cast(cast(${value} as time(6)) as char)`)
}

function trimmedFraction(text: Sql): Sql {
  return sql`trim(trailing '.' from trim(trailing '0' from ${text}))`
}
