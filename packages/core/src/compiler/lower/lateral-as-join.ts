/** @module A lateral subquery that only selects becomes a join with its items. */

import type { FromItem, JoinItem, RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { copyOfExpression } from '../bind/tree/fresh-copy.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { mapExpression, mapFromItem, mapQuery } from '../bind/tree/map-query.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { freeRelations, freeRelationsOf } from '../bind/tree/visit-query.ts'
import { isVolatile } from '../bind/tree/volatility.ts'
import {
  allOf,
  derived,
  isPresent,
  isTrue,
  type LowerContext,
  select,
  trueConstant,
} from './expression-builders.ts'
import { crossJoin, drivingLeaf, joinAll, parentOf, replaceAt } from './from-tree.ts'
import type { Lateral } from './lateral-item.ts'
import { replacing } from './references.ts'
import { callsSets, isOneCalculation } from './row-bounds.ts'

/** Undefined where the subquery does more than select, or cannot be placed beside its siblings. */
export function asJoin(
  query: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const { query: whole } = lateral.item
  if (whole.kind !== 'select' || !onlySelects(whole)) return undefined
  if (whole.from.length === 0) return withCalculation(query, whole, lateral, context)
  const from = whole.from.map((item) => withoutPushed(item, lateral.siblings))
  const inner: SelectQuery = { ...whole, from }
  return lateral.type === 'left'
    ? leftJoin(query, inner, lateral, context)
    : innerJoin(query, inner, lateral, context)
}

function onlySelects(inner: SelectQuery): boolean {
  return (
    inner.ctes.length === 0 &&
    inner.distinct === 'none' &&
    !inner.isAggregated &&
    inner.limit === undefined &&
    inner.offset === undefined &&
    inner.locking.length === 0 &&
    inner.outputs.every(
      (output) =>
        !callsSets(output) &&
        !isVolatile(output) &&
        !hasPart(output, ({ kind }) => kind === 'window'),
    )
  )
}

/** Conditions inside a table cannot refer to its new siblings. The same conditions are in WHERE. */
function withoutPushed(item: FromItem, siblings: ReadonlySet<RelationId>): FromItem {
  return mapFromItem(item, {
    fromItem: (part) => {
      if (part.kind !== 'securedTable') return part
      const pushed = part.pushed.filter((each) => freeRelationsOf(each).isDisjointFrom(siblings))
      return { ...part, pushed }
    },
  })
}

/** `lateral (select t.a + 1)`: one row for every row on the left. */
function withCalculation(
  query: SelectQuery,
  inner: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const { place, on, type, uses } = lateral
  if (!isOneCalculation(inner) || uses.asRow) return undefined
  if (type === 'left' && (on === undefined || !isTrue(on))) return undefined
  const parent = place.path.at(-1)
  const from =
    parent === undefined
      ? replaceAt(query.from, place, [])
      : parent.side === 'right'
        ? replaceAt(query.from, parentOf(place), [parent.join.left])
        : replaceAt(query.from, place, [derived(context.nextId(), oneRow)])
  const without = { ...query, from, where: allOf([query.where, on]) }
  return substitute(without, lateral, { outputs: inner.outputs, driver: undefined }, context)
}

const oneRow: SelectQuery = select({ outputs: [trueConstant] })

function innerJoin(
  query: SelectQuery,
  inner: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const { place, on, siblings, uses } = lateral
  if (!inner.from.every((item) => canStandBeside(item, siblings))) return undefined
  const driver = drivingLeaf(joinAll(inner.from))?.id
  if (driver === undefined && uses.asRow) return undefined
  const parent = place.path.at(-1)
  const joined: SelectQuery = {
    ...query,
    from:
      parent?.side === 'right'
        ? replaceAt(query.from, parentOf(place), [inner.from.reduce(crossJoin, parent.join.left)])
        : replaceAt(query.from, place, inner.from),
    where: allOf([on, inner.where, query.where]),
  }
  return substitute(joined, lateral, { outputs: inner.outputs, driver }, context)
}

function leftJoin(
  query: SelectQuery,
  inner: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const { place, on, siblings } = lateral
  const parent = place.path.at(-1)
  if (parent === undefined) return undefined
  const right = joinAll(inner.from)
  const driver = drivingLeaf(right)?.id
  const isPlaced =
    right.kind === 'join' ? isApart(right, siblings) : canStandBeside(right, siblings)
  if (driver === undefined || !isPlaced) return undefined
  const join: JoinItem = {
    kind: 'join',
    type: 'left',
    left: parent.join.left,
    right,
    on: allOf([on, inner.where]) ?? trueConstant,
  }
  const joined = { ...query, from: replaceAt(query.from, parentOf(place), [join]) }
  const own = relationsIn([right])
  const outputs = inner.outputs.map((output) => nullUnlessPresent(output, own, driver))
  return substitute(joined, lateral, { outputs, driver }, context)
}

function nullUnlessPresent(
  output: Expression,
  own: ReadonlySet<RelationId>,
  driver: RelationId,
): Expression {
  if (output.kind === 'column' && own.has(output.relation)) return output
  const whens = [{ condition: isPresent(driver), result: output }]
  return { kind: 'case', whens, otherwise: undefined, type: output.type }
}

/**
 * In SQLite the operands of a join in parentheses are a subquery: they do not see outer columns. Conditions and arguments of
 * table functions of a flat join do.
 */
function canStandBeside(item: FromItem, siblings: ReadonlySet<RelationId>): boolean {
  switch (item.kind) {
    case 'subquery':
      return isApart(item, siblings)
    case 'join':
      if (item.type === 'right' || item.type === 'full') return isApart(item, siblings)
      return (
        canStandBeside(item.left, siblings) &&
        (item.right.kind === 'join'
          ? isApart(item.right, siblings)
          : canStandBeside(item.right, siblings))
      )
    default:
      return true
  }
}

function isApart(item: FromItem, siblings: ReadonlySet<RelationId>): boolean {
  return freeRelations(select({ outputs: [], from: [item] })).isDisjointFrom(siblings)
}

interface Stand {
  /** The replacement for each column of the lateral item. */
  readonly outputs: readonly Expression[]
  /** The relation whose row is present whenever the item's row is. */
  readonly driver: RelationId | undefined
}

function substitute(
  query: SelectQuery,
  { item }: Lateral,
  { outputs, driver }: Stand,
  context: LowerContext,
): SelectQuery {
  const standIn = (column: number) => {
    const output = outputs[column]
    return output && copyOfExpression(output, context)
  }
  const rewriter = replacing(item.id, {
    column: (column) => standIn(column.column) ?? column,
    wholeRow: (row) => ({
      ...row,
      relation: driver ?? row.relation,
      fields: row.fields.map((field) => ({
        ...field,
        value: mapExpression(field.value, rewriter),
      })),
    }),
  })
  const mapped = mapQuery(query, rewriter)
  return mapped.kind === 'select' ? mapped : query
}
