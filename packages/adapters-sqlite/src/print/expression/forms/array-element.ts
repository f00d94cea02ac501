/**
 * @module Elements of arrays. An array is JSON text: integers are numbers, booleans true and false, bytes hexadecimal strings,
 * all other elements strings; NULL is null.
 */

import type { SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import { call, classOfType, type PrintContext, refuse } from '../../print-context.ts'

/** JSON text of an element; `null` for NULL. */
export function elementJson(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  switch (classOfType(type, context)) {
    case 'bool':
      return sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`ifnull(${value}, 'null')`
    case 'float4':
    case 'float8':
      // Arrays are compared as texts: -0 is 0.
      return sql`ifnull(${call('float_json', sql`(${value} + 0.0)`)}, 'null')`
    case 'bytea':
      return sql`ifnull(${call('bytes_element', value)}, 'null')`
    case 'array':
    case 'record':
    case 'other':
      return refuse('an array of this type', position)
    default:
      return call('json_quote', value)
  }
}

/** Converts an element's `json_each.value` to the form of expressions. */
export function elementOfJson(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  switch (classOfType(type, context)) {
    case 'float4':
    case 'float8':
      return call('float_of_json', value)
    case 'bytea':
      return call('unhex', value)
    case 'array':
    case 'record':
    case 'other':
      return refuse('an array of this type', position)
    default:
      return value
  }
}
