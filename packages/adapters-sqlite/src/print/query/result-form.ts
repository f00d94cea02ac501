/** @module Values in the result, where their form differs from that of expressions. */

import type { SqlType } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import { call, classOfType, type PrintContext } from '../print-context.ts'

/** Documents in an array are strings inside SQLite and documents in the result. */
export function resultForm(value: Sql, type: SqlType, context: PrintContext): Sql {
  return isListOfDocuments(type, context) ? call('array_json', value, sql`'json'`) : value
}

export function isListOfDocuments(type: SqlType, context: PrintContext): boolean {
  const element = context.types.elementTypeOid(type.oid)
  if (element === undefined) return false
  const typeClass = classOfType({ oid: element, typmod: -1 }, context)
  return typeClass === 'json' || typeClass === 'jsonb'
}
