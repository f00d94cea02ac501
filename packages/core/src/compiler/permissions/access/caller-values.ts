import type { CallerFields } from '../../../foundation/caller.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { CallerSlot, SqlValue } from '../../sql-types/value-source.ts'
import { jsonValue } from '../filter/json-value.ts'
import { isPattern } from '../filter/policy-pattern.ts'

/**
 * The value of `$user.<path>` as the type that a filter needs, or undefined when the caller has no such value: missing, null, of
 * the wrong shape, not convertible, no longer exact, or not a pattern where a pattern is needed. Own properties only; a claim is
 * never an operator or a prototype.
 */
export function callerValue(
  fields: CallerFields,
  slot: CallerSlot,
  types: TypeSystem,
): SqlValue | undefined {
  const value = fieldAt(fields, slot.path)
  const element = types.elementTypeOid(slot.type.oid)
  if (element === undefined) {
    const scalar = scalarValue(value, slot.type, types)
    const isUsable = slot.isPattern !== true || (typeof scalar === 'string' && isPattern(scalar))
    return isUsable ? scalar : undefined
  }
  if (!Array.isArray(value)) return undefined
  const elementType = { oid: element, typmod: slot.type.typmod }
  const elements = value.map((item) => scalarValue(item, elementType, types))
  return elements.every((item) => item !== undefined) ? elements : undefined
}

/** Own properties only; undefined where the field is missing. */
export function fieldAt(fields: CallerFields, path: readonly string[]): unknown {
  let value: unknown = fields
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    if (!Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

const floats: readonly number[] = [oids.float4, oids.float8]

/** Types whose NaN and infinities compare as larger or smaller than every number: a caller's value must not be one. */
const numbers: readonly number[] = [oids.numeric, ...floats]

function scalarValue(value: unknown, type: SqlType, types: TypeSystem): SqlValue | undefined {
  const oid = types.baseTypeOid(type.oid)
  if (!isExactScalar(value, oid)) return undefined
  const read = toSqlValue(types, type, jsonValue(types, type, value), 'assignment')
  if (!read.ok || read.value === null) return undefined
  return numbers.includes(oid) && !Number.isFinite(Number(read.value)) ? undefined : read.value
}

/** A number above 2^53 may have lost digits before it arrived: it could be a different number. */
function isExactScalar(value: unknown, oid: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (!Number.isFinite(value)) return false
  return floats.includes(oid) || !Number.isInteger(value) || Number.isSafeInteger(value)
}
