/**
 * @module LATERAL, for databases where a subquery in FROM sees outer queries at best, never its sibling items. A subquery that
 * refers to something it does not see becomes, in order of preference:
 * 1. an expression, where the subquery only calculates (`lateral (select t.a + 1)`),
 * 2. a join with the subquery's own items, where it only selects (`lateral (select * from u where u.a = t.a)`),
 * 3. a scalar subquery at each use, where it has at most one row (`lateral (select sum(a) from u where ...)`),
 * 4. a table function of one argument: the subquery's rows (`rowsOfQuery`),
 * 5. where that is not possible either: a join by the columns that are compared with `=` inside (`lateral-as-keyed.ts`).
 */

import type {
  FromItem,
  Query,
  RelationId,
  SelectQuery,
  SubqueryItem,
} from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { freeRelations, freeRelationsOf } from '../bind/tree/visit-query.ts'
import { isVolatile } from '../bind/tree/volatility.ts'
import { allOf, type LowerContext, recordType } from './expression-builders.ts'
import {
  crossJoin,
  findLeaf,
  isNullable,
  itemAt,
  joinAll,
  type Place,
  type Step,
} from './from-tree.ts'
import { asJoin } from './lateral-as-join.ts'
import { asKeyed } from './lateral-as-keyed.ts'
import { asScalars } from './lateral-as-scalars.ts'
import type { Lateral } from './lateral-item.ts'
import { asListedRows, asRowsOf } from './listed-rows.ts'
import { sizeOfQuery, usesOf } from './references.ts'
import { hasAtMostOneRow } from './row-bounds.ts'
import { wrapInDerivedTable, wrapRowsInDerivedTable } from './wrap-in-derived-table.ts'

/** The subqueries of `query` are already lowered. */
export function lowerLaterals(query: SelectQuery, context: LowerContext): SelectQuery {
  if (context.dialect.lateral === 'native') return query
  const siblings = relationsIn(query.from)
  const place = findLeaf(query.from, (item) => isLateral(item, siblings, context))
  if (place === undefined) return { ...query, from: query.from.map(withoutLateralWord) }
  const flat = flattened(query)
  if (flat !== undefined) return lowerLaterals(flat, context)
  return lowerLaterals(lowerFirst(query, place, siblings, context), context)
}

/**
 * The comma list as one join, with the parentheses of inner joins removed: then an item sees everything on its left. Undefined
 * where nothing changes.
 */
function flattened(query: SelectQuery): SelectQuery | undefined {
  const { from, where } = query
  if (from.length === 1 && !from.some(hasInnerParentheses)) return undefined
  const parts = from.map(flattenedItem)
  const conditions = parts.flatMap((part) => part.conditions)
  return {
    ...query,
    from: [joinAll(parts.map(({ item }) => item))],
    where: allOf([...conditions, where]),
  }
}

/** An inner join whose right side is a join without null-extension. */
function hasInnerParentheses(item: FromItem): boolean {
  if (item.kind !== 'join' || item.type === 'right' || item.type === 'full') return false
  if (hasInnerParentheses(item.left)) return true
  if (item.type === 'left' || item.right.kind !== 'join') return false
  return item.right.type !== 'right' && item.right.type !== 'full'
}

/** Conditions of inner joins may move to WHERE, unless an outer join surrounds them. */
function flattenedItem(item: FromItem): {
  readonly item: FromItem
  readonly conditions: readonly (Expression | undefined)[]
} {
  if (!hasInnerParentheses(item) || item.kind !== 'join') return { item, conditions: [] }
  const left = flattenedItem(item.left)
  if (item.type === 'left') return { ...left, item: { ...item, left: left.item } }
  const right = flattenedItem(item.right)
  return {
    item: crossJoin(left.item, right.item),
    conditions: [...left.conditions, ...right.conditions, item.on],
  }
}

function withoutLateralWord(item: FromItem): FromItem {
  switch (item.kind) {
    case 'join':
      return { ...item, left: withoutLateralWord(item.left), right: withoutLateralWord(item.right) }
    case 'subquery':
      return { ...item, lateral: false }
    default:
      return item
  }
}

/** Refuses LATERAL in statements other than SELECT. */
export function refuseLaterals(
  items: readonly FromItem[],
  outside: readonly RelationId[],
  construct: string,
  context: LowerContext,
): void {
  const siblings = new Set([...relationsIn(items), ...outside])
  if (findLeaf(items, (item) => isLateral(item, siblings, context)) === undefined) return
  throw unsupportedConstruct(construct, context.dialect.database, undefined)
}

/** Does the item refer to something that it does not see? */
function isLateral(
  item: FromItem,
  siblings: ReadonlySet<RelationId>,
  { dialect }: LowerContext,
): item is SubqueryItem {
  if (item.kind !== 'subquery') return false
  const free = freeRelations(item.query)
  return dialect.derivedSeesOutside ? !free.isDisjointFrom(siblings) : free.size > 0
}

function lowerFirst(
  query: SelectQuery,
  place: Place,
  siblings: ReadonlySet<RelationId>,
  context: LowerContext,
): SelectQuery {
  const around = sideOfOuterJoin(query, place)
  const isAll = around?.path.length === 0 && query.from.length === 1
  if (around !== undefined && !isAll) {
    return wrapInDerivedTable(query, around, context, (inner) => lowerLaterals(inner, context))
  }
  const item = itemAt(query.from, place)
  const last = place.path.at(-1)
  const joined = last?.side === 'right' ? last.join : undefined
  if (item?.kind !== 'subquery') return query
  const lateral: Lateral = {
    item,
    place,
    type: joined?.type === 'left' ? 'left' : 'inner',
    on: joined?.on,
    siblings,
    uses: usesOf(item.id, query),
  }
  if (isAll) return inItsPlace(query, lateral, context)
  const lower = (rows: SelectQuery) => lowerLaterals(rows, context)
  if (groupsBy(query, item.id) && freeRelations(query).size === 0) {
    return wrapRowsInDerivedTable(query, context, lower)
  }
  if (!mayBeCopied(lateral, query)) return asRows(query, lateral, context)
  const joinedForm = asJoin(query, lateral, context)
  if (joinedForm !== undefined) return joinedForm
  return hasAtMostOneRow(item.query) && mayBeScalar(lateral, query, context)
    ? asScalars(query, lateral, context, lower)
    : asRows(query, lateral, context)
}

/**
 * An outer join around the subquery (a LEFT JOIN with the subquery itself does not count) null-extends a row that exists. Its
 * side with the subquery must become a subquery of its own, which has the other one lowered, or is itself lateral; where that
 * side is the subquery alone, the whole join must.
 */
function sideOfOuterJoin({ from }: SelectQuery, { index, path }: Place): Place | undefined {
  const last = path.at(-1)
  const isOwnLeftJoin = last?.side === 'right' && last.join.type === 'left'
  const around = isOwnLeftJoin ? path.slice(0, -1) : path
  const step = around.findLastIndex((each) => isNullable(each) || isOuterOperand(each, last))
  if (step < 0) return undefined
  const side: Place = { index, path: path.slice(0, step + 1) }
  return itemAt(from, side)?.kind === 'join' ? side : { index, path: path.slice(0, step) }
}

/** Is the subquery itself the operand of a RIGHT or FULL JOIN? */
function isOuterOperand(step: Step, last: Step | undefined): boolean {
  return step === last && (step.join.type === 'right' || step.join.type === 'full')
}

/**
 * A grouping key must stay a column: SQLite recognises no two subqueries as equal, not even in GROUP BY and the select list, and
 * a constant that is grouped by is not that constant in every grouping set.
 */
function groupsBy({ groupBy }: SelectQuery, relation: RelationId): boolean {
  return groupBy?.expressions.some((each) => freeRelationsOf(each).has(relation)) ?? false
}

/**
 * Where subqueries in FROM see nothing outside, neither one subquery for the whole row nor one around several columns would help;
 * and aggregates over outer columns alone would become aggregates of the outer query.
 */
function mayBeScalar(
  { item, siblings, uses }: Lateral,
  query: SelectQuery,
  { dialect }: LowerContext,
): boolean {
  if (dialect.derivedSeesOutside) return true
  const { query: inner } = item
  const isOneColumn = inner.columns.length === 1
  if (uses.asRow || !(isOneColumn || (inner.kind === 'select' && inner.distinct === 'none'))) {
    return false
  }
  const free = freeRelations(inner)
  return !query.isAggregated || free.size === 0 || !free.isDisjointFrom(siblings)
}

/** The most that a statement may grow by repeating one subquery, in nodes of the tree. */
const maxGrowth = 20_000

/**
 * Forms that repeat (parts of) the subquery at each use must not change its meaning or make the statement huge, and an aggregate
 * of this query must still contain something of this query: else SQLite takes it for an aggregate of the outer query.
 */
function mayBeCopied({ item, siblings, uses }: Lateral, query: SelectQuery): boolean {
  const { query: inner } = item
  if (uses.count > 1 && (sizeOfQuery(inner) * uses.count > maxGrowth || hasVolatile(inner)))
    return false
  if (!query.isAggregated || inner.kind !== 'select') return true
  const near = siblings.union(relationsIn(inner.from))
  return [...uses.columns].every((index) => {
    const output = inner.outputs[index]
    const free = output && freeRelationsOf(output)
    return free === undefined || free.size === 0 || !free.isDisjointFrom(near)
  })
}

function hasVolatile(query: Query): boolean {
  return isVolatile({ kind: 'exists', query, type: recordType })
}

/** An operand of a RIGHT or FULL JOIN that refers to an outer query: only a table function can take its place. */
function inItsPlace(query: SelectQuery, lateral: Lateral, context: LowerContext): SelectQuery {
  const { item, siblings } = lateral
  const isApart = freeRelations(item.query).isDisjointFrom(siblings)
  const found = isApart ? asListedRows(query, lateral) : undefined
  if (found !== undefined) return found
  const construct = 'LATERAL in a RIGHT or FULL JOIN'
  throw unsupportedConstruct(construct, context.dialect.database, undefined)
}

function asRows(query: SelectQuery, lateral: Lateral, context: LowerContext): SelectQuery {
  const { item, place } = lateral
  const { lateral: ability, database } = context.dialect
  if (ability !== 'listedRows') return asRowsOf(query, item, place)
  const found = asListedRows(query, lateral) ?? asKeyed(query, lateral, context)
  if (found !== undefined) return found
  throw unsupportedConstruct('LATERAL over this query', database, undefined)
}
