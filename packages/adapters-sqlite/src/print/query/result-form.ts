/** @module Values as they leave SQLite, where that is not the form of expressions. */
import { type Sql, type SqlType, sql } from '@engine/core/adapter'
import { call, classOfType, type PrintContext } from '../print-context.ts'

/** Documents in a list are strings inside SQLite and documents outside. */
export function resultForm(value: Sql, type: SqlType, context: PrintContext): Sql {
  return isListOfDocuments(type, context) ? call('array_json', value, sql`'json'`) : value
}

export function isListOfDocuments(type: SqlType, context: PrintContext): boolean {
  const element = context.types.elementTypeOid(type.oid)
  if (element === undefined) return false
  const typeClass = classOfType({ oid: element, typmod: -1 }, context)
  return typeClass === 'json' || typeClass === 'jsonb'
}
