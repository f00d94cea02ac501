import type { Expression } from '../../bind/tree/expression.ts'
import type { Column } from '../../catalog/catalog.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/**
 * The value that the database stores in a column without a given value, if that is NULL or a constant; undefined for every
 * default that it computes.
 */
export function knownDefault(column: Column, types: TypeSystem): Expression | undefined {
  const { type, generated, hasDefault, nativeDefault } = column
  if (generated !== 'no') return undefined
  if (!hasDefault) return { kind: 'constant', value: null, type }
  const value = constantOf(nativeDefault ?? '')
  if (value === undefined) return undefined
  const read = toSqlValue(types, type, value, 'assignment')
  return read.ok ? { kind: 'constant', value: read.value, type } : undefined
}

/** The values of `'new'::text`, `(0)`, `true`, `NULL::int`. */
function constantOf(text: string): string | null | undefined {
  const bare = withoutCasts(text.trim())
  const quoted = /^'((?:[^'\\]|'')*)'$/.exec(bare)?.[1]
  if (quoted !== undefined) return quoted.replaceAll("''", "'")
  if (/^null$/i.test(bare)) return null
  return /^(?:[+-]?\d+(?:\.\d+)?|true|false)$/i.test(bare) ? bare.toLowerCase() : undefined
}

function withoutCasts(text: string): string {
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1]
  if (inner !== undefined) return withoutCasts(inner.trim())
  const cast = /^(.*)::[a-z_ ]+(?:\(\d+(?:,\d+)?\))?(?: [a-z ]+)?$/i.exec(text)?.[1]
  return cast === undefined ? text : withoutCasts(cast.trim())
}
