/** @module Constants that change their type without a cast: the same value in the spelling of the new type. */

import { oids } from '../../sql-types/oids.ts'
import type { CoercionContext } from '../../sql-types/pg-type.ts'
import type { Coercion } from '../../sql-types/resolution.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { Constant } from '../tree/expression.ts'

const integers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8])
const floats: ReadonlySet<number> = new Set([oids.float4, oids.float8])
const strings: ReadonlySet<number> = new Set([oids.text, oids.varchar, oids.bpchar])

/** The constant as one of `target`; undefined when only the database may convert it (or refuse it). */
export function castConstant(
  types: TypeSystem,
  constant: Constant,
  target: SqlType,
  coercion: Coercion,
): Constant | undefined {
  if (coercion.kind === 'domain') return undefined
  if (constant.value === null) return { ...constant, type: target }
  if (coercion.kind === 'relabel' && strings.has(constant.type.oid) && strings.has(target.oid)) {
    return { ...constant, type: target }
  }
  return isSameText(constant.type.oid, target.oid) ? reread(types, constant, target) : undefined
}

/** Does PostgreSQL's cast give the same value as reading the text of the one type as the other? */
function isSameText(source: number, target: number): boolean {
  if (integers.has(source)) {
    return integers.has(target) || floats.has(target) || target === oids.numeric
  }
  return source === oids.numeric && floats.has(target)
}

/** The constant cut, padded or rounded; undefined when it does not fit: then the database raises the error. */
export function resizeConstant(
  types: TypeSystem,
  constant: Constant,
  target: SqlType,
  conversion: CoercionContext,
): Constant | undefined {
  if (constant.value === null) return { ...constant, type: target }
  const isPlain = strings.has(target.oid) || target.oid === oids.numeric
  if (!isPlain || target.oid !== constant.type.oid) return undefined
  return reread(types, constant, target, conversion)
}

function reread(
  types: TypeSystem,
  constant: Constant,
  target: SqlType,
  conversion: CoercionContext = 'explicit',
): Constant | undefined {
  const mode = conversion === 'assignment' ? 'assignment' : 'explicit'
  const read = toSqlValue(types, target, constant.value, mode)
  return read.ok ? { ...constant, type: target, value: read.value } : undefined
}
