/**
 * @module Elements of arrays. An array is JSON text: integers and floats are numbers, booleans true and false, bytes hexadecimal
 * strings, all other elements strings of PostgreSQL's text; NULL is null.
 */

import { type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import { jsonString } from '../json/json-text.ts'
import { textForm } from './text-form.ts'

/** JSON text of an element; `null` for NULL. */
export function elementJson(expression: Expression, context: PrintContext): Sql {
  const value = () => print(expression, context)
  switch (classOfType(expression.type, context)) {
    case 'bool':
      return sql`coalesce(elt(${value()} + 1, 'false', 'true'), 'null')`
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float8':
      return sql`coalesce(cast(${value()} as char), 'null')`
    case 'bytea':
      return sql`coalesce(${jsonString(sql`lower(hex(${value()}))`)}, 'null')`
    case 'bpchar':
      return sql`coalesce(${jsonString(value())}, 'null')`
    case 'array':
    case 'record':
    case 'float4':
    case 'other':
      return refuse('an array of this type', expression.position)
    default:
      return sql`coalesce(${jsonString(textForm(expression, context))}, 'null')`
  }
}
