import type { CallerFields } from '../caller.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'
import { toSqlValue } from '../sql-value.ts'
import type { CallerSlot, SqlValue } from '../value-source.ts'

/**
 * The value of `$user.<path>` as the type a filter needs, or undefined when the caller has no such value: missing,
 * null, of the wrong shape or not convertible. Own properties only; a claim is never an operator or a prototype.
 */
export function callerValue(
  fields: CallerFields,
  slot: CallerSlot,
  types: TypeSystem,
): SqlValue | undefined {
  let value: unknown = fields
  for (const part of slot.path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    if (!Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  const isArrayType = types.elementTypeOid(slot.type.oid) !== undefined
  if (isArrayType ? !isScalarList(value) : !isScalar(value)) return undefined
  const read = toSqlValue(types, slot.type, value, 'explicit')
  return read.ok && read.value !== null ? read.value : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isScalarList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isScalar)
}
