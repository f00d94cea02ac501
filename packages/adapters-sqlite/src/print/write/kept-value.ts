/** @module Values that a step keeps for later ones, as JSON: each is read back unchanged. */

import type { SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import { call, classOfType, type PrintContext } from '../print-context.ts'

/** Converts a value from the form of expressions to the kept form. Floats are kept as text, so that no bit is lost. */
export function keptForm(value: Sql, type: SqlType, context: PrintContext): Sql {
  return isFloatType(type, context) ? call('float_text', value) : value
}

/** Converts an item of a kept row to the form of expressions. */
export function fromKept(item: Sql, type: SqlType, context: PrintContext): Sql {
  if (isFloatType(type, context)) return call('float_of_json', item)
  // Bytes are kept as hexadecimal text.
  return classOfType(type, context) === 'bytea' ? call('unhex', item) : sql`${item}`
}

function isFloatType(type: SqlType, context: PrintContext): boolean {
  const typeClass = classOfType(type, context)
  return typeClass === 'float4' || typeClass === 'float8'
}
