/** @module Bounds for the number of rows of a query, from its text alone. */

import type { FromItem, Query, RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import type { SecuredTable } from '../bind/tree/secured-table.ts'
import { freeRelations, freeRelationsOf } from '../bind/tree/visit-query.ts'
import type { Column } from '../catalog/catalog.ts'
import { oids } from '../sql-types/oids.ts'
import type { Oid } from '../sql-types/pg-type.ts'
import { allOf, conjuncts } from './expression-builders.ts'

export function hasAtMostOneRow(query: Query): boolean {
  if (isLimitedToOne(query)) return true
  switch (query.kind) {
    case 'values':
      return query.rows.length <= 1
    case 'setOperation':
      if (query.operator === 'union') return false
      return (
        hasAtMostOneRow(query.left) ||
        (query.operator === 'intersect' && hasAtMostOneRow(query.right))
      )
    case 'select':
      if (query.outputs.some(callsSets)) return false
      if (isOneGroup(query)) return true
      return query.groupBy === undefined || query.groupBy.sets.length === 1
        ? isDetermined(query.from, query.where, new Set())
        : false
  }
}

/** Always one row, whatever the tables contain. */
export function hasExactlyOneRow(query: Query): boolean {
  if (query.offset !== undefined || !leavesFirstRow(query)) return false
  if (query.kind === 'values') return query.rows.length === 1
  if (query.kind !== 'select' || query.having !== undefined) return false
  if (query.outputs.some(callsSets)) return false
  return isOneGroup(query) || isOneCalculation(query)
}

/** `select a, b + 1`: no rows to read. */
export function isOneCalculation(query: SelectQuery): boolean {
  return query.from.length === 0 && query.where === undefined && !query.isAggregated
}

function leavesFirstRow({ limit }: Query): boolean {
  if (limit === undefined) return true
  const { count, max } = limit
  if (max !== undefined && max < 1) return false
  return count === undefined || (isSmallConstant(count) && count.value !== '0')
}

function isLimitedToOne({ limit }: Query): boolean {
  if (limit === undefined || limit.withTies) return false
  if (limit.max !== undefined && limit.max <= 1) return true
  return limit.count !== undefined && isSmallConstant(limit.count)
}

function isSmallConstant(
  count: Expression,
): count is Extract<Expression, { kind: 'constant' }> & { value: '0' | '1' } {
  return count.kind === 'constant' && (count.value === '0' || count.value === '1')
}

/** Aggregated without a grouping key. */
function isOneGroup({ isAggregated, groupBy }: SelectQuery): boolean {
  if (!isAggregated) return false
  if (groupBy === undefined) return true
  return groupBy.sets.length === 1 && groupBy.sets[0]?.length === 0
}

/** Set-returning functions in subqueries of the expression return rows there, not here. */
export function callsSets(expression: Expression): boolean {
  return hasPart(expression, (part) => part.kind === 'call' && part.function.returnsSet)
}

/**
 * Is there at most one row of these items for each row of the relations outside (and of `known` ones)? True when every item is
 * looked up by a whole key.
 */
export function isDetermined(
  items: readonly FromItem[],
  where: Expression | undefined,
  known: ReadonlySet<RelationId>,
): boolean {
  const open = new Set([...relationsIn(items)].filter((id) => !known.has(id)))
  const found = items.map((item) => lookUps(item, where))
  if (found.includes(undefined)) return false
  const steps = found.flatMap((each) => each ?? [])
  let isProgress = true
  while (open.size > 0 && isProgress) {
    isProgress = false
    for (const step of steps) {
      if (!open.has(step.item.id) || !isLookUp(step, open)) continue
      open.delete(step.item.id)
      isProgress = true
    }
  }
  return open.size === 0
}

/** One item and the conditions on its rows. */
interface LookUp {
  readonly item: Exclude<FromItem, { kind: 'join' }>
  readonly conditions: readonly Expression[]
}

/** Undefined where rows can come from anything but look-ups. */
function lookUps(item: FromItem, condition: Expression | undefined): readonly LookUp[] | undefined {
  if (item.kind !== 'join') return [{ item, conditions: conjuncts(condition) }]
  if (item.type === 'right' || item.type === 'full') return undefined
  const both = allOf([condition, item.on])
  const left = lookUps(item.left, item.type === 'left' ? condition : both)
  const right = lookUps(item.right, both)
  return left && right && [...left, ...right]
}

function isLookUp({ item, conditions }: LookUp, open: ReadonlySet<RelationId>): boolean {
  switch (item.kind) {
    case 'securedTable':
      return isFoundByKey(item, conditions, open)
    case 'subquery':
      return hasAtMostOneRow(item.query) && freeRelations(item.query).isDisjointFrom(open)
    case 'function':
      return !callsSets(item.call) && freeRelationsOf(item.call).isDisjointFrom(open)
    default:
      return false
  }
}

function isFoundByKey(
  { id, table }: SecuredTable,
  conditions: readonly Expression[],
  open: ReadonlySet<RelationId>,
): boolean {
  const fixed = new Set(conditions.flatMap((condition) => fixedColumns(condition, id, open)))
  const isFixed = (ordinal: number) => {
    const column = table.columns[ordinal]
    return column !== undefined && fixed.has(ordinal) && isExact(column)
  }
  return [table.primaryKey, ...table.uniqueKeys].some((key) => key.length > 0 && key.every(isFixed))
}

/** The columns of `id` that must equal a known value. */
function fixedColumns(
  condition: Expression,
  id: RelationId,
  open: ReadonlySet<RelationId>,
): readonly number[] {
  if (condition.kind !== 'operator' || condition.operator.name !== '=') return []
  const { left, right } = condition
  if (left === undefined) return []
  return [...fixedColumn(left, right, id, open), ...fixedColumn(right, left, id, open)]
}

function fixedColumn(
  side: Expression,
  value: Expression,
  id: RelationId,
  open: ReadonlySet<RelationId>,
): readonly number[] {
  const bare = side.kind === 'cast' && side.method === 'binary' ? side.operand : side
  if (bare.kind !== 'column' || bare.relation !== id) return []
  return freeRelationsOf(value).isDisjointFrom(open) ? [bare.column] : []
}

/** Are two values of the column equal only when they are stored equally, so that a key in the database is a key here? */
function isExact(column: Column): boolean {
  if (alwaysExact.has(column.type.oid)) return true
  return exactWhenCanonical.has(column.type.oid) && column.native?.['isCanonical'] === true
}

const alwaysExact: ReadonlySet<Oid> = new Set<Oid>([
  oids.int2,
  oids.int4,
  oids.int8,
  oids.text,
  oids.varchar,
])

const exactWhenCanonical: ReadonlySet<Oid> = new Set<Oid>([
  oids.uuid,
  oids.date,
  oids.timestamp,
  oids.timestamptz,
  oids.bool,
])
