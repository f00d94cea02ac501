/** @module ORDER BY lists. The server puts NULL first when ascending and last when descending; PostgreSQL's tree always has a place for it. */
import { type Expression, joinSql, type SortKey, type Sql, sql } from '@engine/core/adapter'
import type { PrintContext } from '../../print-context.ts'
import { propertiesOf } from '../../value-properties.ts'
import { sortKeyOf } from './comparison.ts'

/** Undefined where there is nothing to sort by. */
export function printSortKeys(keys: readonly SortKey[], context: PrintContext): Sql | undefined {
  const terms = keys
    .filter(({ expression }) => !isSame(expression))
    .map((key) => printSortKey(key, key.expression, context))
  return terms.length === 0 ? undefined : joinSql(terms, ', ')
}

/** The same for every row: sorts nothing, and the server might take it for the position of a column. */
export function isSame({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'parameter' || kind === 'caller' || kind === 'requestTime'
}

/** `expression` is what the key sorts by, where the key itself only names an output. */
export function printSortKey(key: SortKey, expression: Expression, context: PrintContext): Sql {
  const value = sortKeyOf(expression, context)
  return sortTerm(value, value, key, propertiesOf(expression, context).isNullable)
}

/**
 * Nothing is said about NULLs where there are none or the server does it anyway, so that an index can sort.
 *
 * @param test what is NULL where `value` is; another form of it, where `value` is only a position.
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
 * A term that the server cannot take for what rows are sorted by already: it forgets that window functions over groups have
 * put the groups into another order.
 */
export function forcedSortTerm(value: Sql, test: Sql, key: SortKey): Sql {
  return withNulls(key.descending ? sql`${value} desc` : value, test, key)
}
