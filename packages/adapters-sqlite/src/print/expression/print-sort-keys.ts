/** @module ORDER BY lists. SQLite puts NULL first by default; PostgreSQL's tree always states its position. */

import { joinSql, type Sql, sql } from '@engine/core/print'
import type { Expression, SortKey } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { propertiesOf } from '../value-properties.ts'
import { sortKeyOf } from './comparison.ts'

/** Undefined without keys. */
export function printSortKeys(keys: readonly SortKey[], context: PrintContext): Sql | undefined {
  if (keys.length === 0) return undefined
  return joinSql(
    keys.map((key) => printSortKey(key, key.expression, context)),
    ', ',
  )
}

/** `expression` is the sorted expression, where the key itself only names an output. */
export function printSortKey(key: SortKey, expression: Expression, context: PrintContext): Sql {
  const isNullable = propertiesOf(expression, context).isNullable
  return sortTerm(sortKeyOf(expression, context), key, isNullable)
}

/** Omits the order of NULLs where there are none or where it is SQLite's default, so that an index can sort. */
export function sortTerm(value: Sql, key: SortKey, isNullable: boolean): Sql {
  const direction = key.descending ? sql`${value} desc` : value
  const isDefault = key.nullsFirst !== key.descending
  if (!isNullable || isDefault) return direction
  return key.nullsFirst ? sql`${direction} nulls first` : sql`${direction} nulls last`
}
