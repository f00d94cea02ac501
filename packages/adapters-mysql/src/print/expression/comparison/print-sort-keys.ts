/**
 * @module ORDER BY lists. The server puts NULL first when ascending and last when descending; PostgreSQL's tree always states its
 * position.
 */

import { joinSql, type Sql, sql } from '@engine/core/print'
import type { Expression, SortKey } from '@engine/core/tree'
import type { PrintContext } from '../../print-context.ts'
import { propertiesOf } from '../../value-properties.ts'
import { sortKeyOf } from './comparison.ts'

/** Undefined without sort keys. */
export function printSortKeys(keys: readonly SortKey[], context: PrintContext): Sql | undefined {
  const terms = keys
    .filter(({ expression }) => !isSame(expression))
    .map((key) => printSortKey(key, key.expression, context))
  return terms.length === 0 ? undefined : joinSql(terms, ', ')
}

/** The same for every row: it sorts nothing, and the server might take it for the position of a column. */
export function isSame({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'parameter' || kind === 'caller' || kind === 'requestTime'
}

/** `expression` is the sorted expression, where the key itself only names an output. */
export function printSortKey(key: SortKey, expression: Expression, context: PrintContext): Sql {
  const value = sortKeyOf(expression, context)
  return sortTerm(value, value, key, propertiesOf(expression, context).isNullable)
}

/**
 * Omits the order of NULLs where there are none or where it is the server's default, so that an index can sort.
 *
 * @param test is NULL where `value` is; another form of it, where `value` is only a position.
 */
export function sortTerm(value: Sql, test: Sql, key: SortKey, isNullable: boolean): Sql {
  const direction = key.descending ? sql`${value} desc` : value
  const isDefault = key.nullsFirst !== key.descending
  return !isNullable || isDefault ? direction : withNulls(direction, test, key)
}

function withNulls(direction: Sql, test: Sql, key: SortKey): Sql {
  const nulls = key.nullsFirst ? sql`isnull(${test}) desc` : sql`isnull(${test})`
  return sql`${nulls}, ${direction}`
}

/**
 * A term that the server cannot recognise as the existing order of rows: it overlooks that window functions over groups have
 * changed the order of the groups.
 */
export function forcedSortTerm(value: Sql, test: Sql, key: SortKey): Sql {
  return withNulls(key.descending ? sql`${value} desc` : value, test, key)
}
