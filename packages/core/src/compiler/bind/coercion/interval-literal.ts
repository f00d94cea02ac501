import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { intervalFieldsOfTypmod } from '../../sql-types/typmod.ts'

/** Units of `interval '1' day` by their bit in a typmod. */
const units: ReadonlyMap<number, string> = new Map([
  [1 << 1, 'months'],
  [1 << 2, 'years'],
  [1 << 3, 'days'],
  [1 << 10, 'hours'],
  [1 << 11, 'minutes'],
  [1 << 12, 'seconds'],
])

/** Is this an interval that is restricted to some fields, which decide the unit of a bare number? */
export function hasIntervalFields(types: TypeSystem, type: SqlType): boolean {
  const oid = types.elementTypeOid(type.oid) ?? type.oid
  return oid === oids.interval && intervalFieldsOfTypmod(type.typmod) !== undefined
}

/** `interval '2' hour` as `2 hours`; undefined unless there is exactly one field and a whole number. */
export function intervalWithUnit(literal: string, type: SqlType): string | undefined {
  const unit = units.get(intervalFieldsOfTypmod(type.typmod) ?? 0)
  const count = literal.trim()
  const isPlain = type.oid === oids.interval && /^[-+]?\d+$/.test(count)
  return unit === undefined || !isPlain ? undefined : `${count} ${unit}`
}
