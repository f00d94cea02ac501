/** @module Does a query read only a few rows, whatever the tables contain? */

import type { TypeSystem } from '@engine/core/catalog'
import type { Expression, FromItem, Query, RelationId, SecuredTable } from '@engine/core/tree'
import { isReadAsStored } from '../read-stored.ts'
import { isSimpleQuery, isTextOfText } from './simple.ts'

/**
 * A simple SELECT from tables that are all looked up by `=` on a whole key, through its index. Such a query needs no ticks and may
 * run anywhere.
 */
export function isBoundedQuery(query: Query, types: TypeSystem): boolean {
  if (!isSimpleQuery(query, types) || query.isAggregated) return false
  const conditions = query.where === undefined ? [] : conjunctsOf(query.where)
  return areFound(
    query.from.flatMap((item) => tablesOf(item, conditions)),
    types,
  )
}

/** A table, and the conditions that every row read from it fulfils. */
interface ReadTable {
  readonly table: SecuredTable
  readonly conditions: readonly Expression[]
}

/** The condition of a left join decides about the rows on its right, and leaves those on its left as they are. */
function tablesOf(item: FromItem, conditions: readonly Expression[]): readonly ReadTable[] {
  if (item.kind === 'securedTable') {
    return [{ table: item, conditions: [...conditions, ...item.pushed] }]
  }
  if (item.kind !== 'join') return []
  const on = item.on === undefined ? [] : conjunctsOf(item.on)
  const isInner = item.type === 'inner'
  return [
    ...tablesOf(item.left, isInner ? [...conditions, ...on] : conditions),
    ...tablesOf(item.right, isInner ? [...conditions, ...on] : on),
  ]
}

function conjunctsOf(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands.flatMap(conjunctsOf)
    : [condition]
}

/** One table after the other is looked up by a key: by values, or by columns of tables before it. */
function areFound(tables: readonly ReadTable[], types: TypeSystem): boolean {
  const found = new Set<RelationId>()
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const each of tables) {
      if (found.has(each.table.id) || !isFound(each, found, types)) continue
      found.add(each.table.id)
      isNew = true
    }
  }
  return found.size === tables.length
}

function isFound(
  { table: secured, conditions }: ReadTable,
  found: ReadonlySet<RelationId>,
  types: TypeSystem,
): boolean {
  const { id, base, table, masks, barrier } = secured
  // SQLite moves no condition behind a barrier.
  if (table.kind !== 'table' || barrier) return false
  const fixed = new Set<number>()
  for (const condition of conditions) {
    if (condition.kind !== 'operator' || condition.operator.name !== '=') continue
    const { left, right } = condition
    if (left === undefined) continue
    for (const [one, other] of [[left, right] as const, [right, left] as const]) {
      const column = withoutCast(one, types)
      if (column.kind !== 'column' || !isKnown(other, found, types)) continue
      const isCell = column.relation === id && !masks.has(column.column)
      if (isCell || column.relation === base) fixed.add(column.column)
    }
  }
  const isUsable = (ordinal: number) => {
    const column = table.columns[ordinal]
    return column !== undefined && fixed.has(ordinal) && isReadAsStored(column, types)
  }
  return [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length > 0 && key.every(isUsable),
  )
}

function isKnown(
  expression: Expression,
  found: ReadonlySet<RelationId>,
  types: TypeSystem,
): boolean {
  const value = withoutCast(expression, types)
  switch (value.kind) {
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'column':
      return found.has(value.relation)
    default:
      return false
  }
}

function withoutCast(expression: Expression, types: TypeSystem): Expression {
  return expression.kind === 'cast' && isTextOfText(expression, types)
    ? expression.operand
    : expression
}
