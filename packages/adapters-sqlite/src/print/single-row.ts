/** @module How many rows can a query give at most? */
import type { Expression, FromItem, Query, SelectQuery, Table } from '@engine/core'
import { isRowIndependent } from './row-independent.ts'

/** `one`: always exactly one; `atMostOne`; `any`. */
export type RowCount = 'one' | 'atMostOne' | 'any'

export function rowCountOf(query: Query): RowCount {
  if (query.kind === 'values') return query.rows.length === 1 && !isCut(query) ? 'one' : 'any'
  if (hasLimitOfOne(query)) return isBareSelect(query) && !isCut(query) ? 'one' : 'atMostOne'
  if (query.kind !== 'select') return 'any'
  if (isSingleGroup(query)) {
    return query.having === undefined && !isCut(query) ? 'one' : 'atMostOne'
  }
  if (isBareSelect(query)) return query.where === undefined && !isCut(query) ? 'one' : 'atMostOne'
  if (query.isAggregated || query.from.length !== 1) return 'any'
  const [item] = query.from
  return item !== undefined && isFoundByKey(item, query.where) ? 'atMostOne' : 'any'
}

function isCut(query: Query): boolean {
  const hasLimit = query.limit?.count !== undefined && !isLimitOf(query.limit.count, 1)
  return hasLimit || query.offset !== undefined
}

function hasLimitOfOne(query: Query): boolean {
  const { limit } = query
  if (limit === undefined || limit.withTies) return false
  if (limit.max !== undefined && limit.max <= 1) return true
  return limit.count !== undefined && isLimitOf(limit.count, 1)
}

function isLimitOf(count: Expression, rows: number): boolean {
  return count.kind === 'constant' && count.value === String(rows)
}

/** Without FROM there is one row, unless WHERE takes it away. */
function isBareSelect(query: Query): boolean {
  return query.kind === 'select' && query.from.length === 0 && !returnsSets(query)
}

function returnsSets(query: SelectQuery): boolean {
  return query.outputs.some((each) => each.kind === 'call' && each.function.returnsSet)
}

function isSingleGroup(query: SelectQuery): boolean {
  const sets = query.groupBy?.sets
  return query.isAggregated && (sets === undefined || (sets.length === 1 && sets[0]?.length === 0))
}

/** Are all columns of a key compared with something that does not depend on the table's row? */
function isFoundByKey(item: FromItem, where: Expression | undefined): boolean {
  if (where === undefined || item.kind !== 'securedTable') return false
  const fixed = new Set<number>()
  for (const conjunct of conjunctsOf(where)) {
    const column = fixedColumn(conjunct, item.id)
    if (column !== undefined) fixed.add(column)
  }
  return keysOf(item.table).some((key) => key.every((column) => fixed.has(column)))
}

export function keysOf(table: Table): readonly (readonly number[])[] {
  const keys = table.primaryKey.length > 0 ? [table.primaryKey, ...table.uniqueKeys] : table.uniqueKeys
  // A column in another collation may call several texts equal that are different here, never the other way round.
  return keys
}

export function conjunctsOf(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands.flatMap(conjunctsOf)
    : [condition]
}

/** The column of `relation` that an equality fixes; the other side must not refer to the relation. */
export function fixedColumn(condition: Expression, relation: number): number | undefined {
  if (condition.kind !== 'operator' || condition.operator.name !== '=') return undefined
  const { left, right } = condition
  if (left === undefined) return undefined
  if (left.kind === 'column' && left.relation === relation) {
    return isOutside(right, relation) ? left.column : undefined
  }
  if (right.kind === 'column' && right.relation === relation) {
    return isOutside(left, relation) ? right.column : undefined
  }
  return undefined
}

function isOutside(expression: Expression, relation: number): boolean {
  if (expression.kind === 'column') return expression.relation !== relation
  if (expression.kind === 'cast') return isOutside(expression.operand, relation)
  return isRowIndependent(expression)
}
