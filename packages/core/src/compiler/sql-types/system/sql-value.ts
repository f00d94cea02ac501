import type { InputArray, InputMode, InputValue } from '../input/input-value.ts'
import type { SqlType } from '../sql-type.ts'
import type { SqlValue } from '../value-source.ts'
import type { TypeSystem } from './type-system.ts'

export type SqlValueResult =
  | { readonly ok: true; readonly value: SqlValue }
  | { readonly ok: false; readonly sqlState: string; readonly message: string }

/**
 * Reads a JSON value as PostgreSQL's input function of `type` would, into canonical text.
 *
 * @param nowMs what `now` and `today` mean, see `readDateTime`
 */
export function toSqlValue(
  types: TypeSystem,
  type: SqlType,
  value: unknown,
  mode: InputMode,
  nowMs?: number,
): SqlValueResult {
  if (value === null) return { ok: true, value: null }
  const read = types.parseInput(type.oid, type.typmod, value, mode, nowMs)
  if (!read.ok) return read
  return { ok: true, value: sqlValueOf(types, type.oid, read.value) }
}

/** The result of `parseInput` as canonical text, or nested lists of it; an array with bounds of its own is a text. */
export function sqlValueOf(types: TypeSystem, oid: number, value: InputValue): SqlValue {
  if (value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'object' && 'kind' in value && value.lowerBounds === undefined) {
    return nestedList(types, value)
  }
  return types.inputText(oid, value)
}

function nestedList(types: TypeSystem, array: InputArray): SqlValue {
  const leaves = array.elements.map((element) => sqlValueOf(types, array.elementOid, element))
  return array.dimensions.slice(1).reduceRight<readonly SqlValue[]>((items, length) => {
    const groups: SqlValue[] = []
    for (let start = 0; start < items.length; start += length) {
      groups.push(items.slice(start, start + length))
    }
    return groups
  }, leaves)
}
