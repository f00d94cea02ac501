/** @module How the rows of a table are identified. */
import type { SqliteColumnNative } from './native-column.ts'
import type { TableFacts } from './schema-facts.ts'

/** Names of its columns, in the order of the key. */
export function primaryKeyOf({ columns }: TableFacts): readonly string[] {
  return columns
    .filter(({ keyPosition }) => keyPosition > 0)
    .toSorted((a, b) => a.keyPosition - b.keyPosition)
    .map(({ name }) => name)
}

/**
 * A key of one column declared as INTEGER is the rowid itself, and has no index. (`PRIMARY KEY DESC` is the exception, and has
 * one.)
 */
export function hasRowidAlias({ columns, hasRowid, indexes }: TableFacts): boolean {
  const key = columns.filter(({ keyPosition }) => keyPosition > 0)
  return (
    hasRowid &&
    key.length === 1 &&
    key[0]?.declaredType.toUpperCase() === 'INTEGER' &&
    !indexes.some(({ isPrimaryKey }) => isPrimaryKey)
  )
}

/** A name for the rowid that no column has. */
export function rowidNameOf({ columns, hasRowid }: TableFacts): SqliteColumnNative['rowidName'] {
  if (!hasRowid) return undefined
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return (['rowid', '_rowid_', 'oid'] as const).find((name) => !taken.has(name))
}
