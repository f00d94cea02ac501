import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/**
 * A text that a policy compares with JSON, or stores as JSON, becomes a JSON string and is never parsed: a caller's field cannot
 * become an object, and `tags: { $contains: 'blue' }` looks for that text.
 */
export function jsonValue(types: TypeSystem, type: SqlType, value: unknown): unknown {
  const oid = types.baseTypeOid(type.oid)
  const isJson = oid === oids.json || oid === oids.jsonb
  return isJson && typeof value === 'string' ? JSON.stringify(value) : value
}
