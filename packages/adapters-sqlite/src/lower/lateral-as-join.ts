/** @module A lateral subquery that only selects, as a join with its items. */
import {
  type Expression,
  type FromItem,
  freeRelations,
  isVolatile,
  type JoinItem,
  mapQuery,
  type SelectQuery,
  visitFromItem,
} from '@engine/core'
import { copyOfExpression } from './fresh-copy.ts'
import { crossJoin, drivingLeaf, joinAll, parentOf, replaceAt } from './from-tree.ts'
import type { Lateral } from './lateral.ts'
import { replacing } from './references.ts'
import { callsSets, isOneCalculation } from './row-bounds.ts'
import {
  allOf,
  boolType,
  isPresent,
  leavesOf,
  type LowerContext,
  relationsIn,
  select,
  trueConstant,
} from './typed.ts'

/** Undefined where the subquery does more than select, or has no place beside its siblings. */
export function asJoin(
  query: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const inner = lateral.item.query
  if (inner.kind !== 'select' || !onlySelects(inner)) return undefined
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
    inner.outputs.every((output) => !callsSets(output) && !isVolatile(output) && !hasWindow(output))
  )
}

function hasWindow(expression: Expression): boolean {
  return expression.kind === 'window' || partsHaveWindow(expression)
}

function innerJoin(
  query: SelectQuery,
  inner: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  if (!inner.from.every((item) => isFree(item, lateral))) return undefined
  const { place, on } = lateral
  const parent = place.path.at(-1)
  const conditions = [on, inner.where]
  const joined: SelectQuery = {
    ...query,
    from:
      parent?.side === 'right'
        ? replaceAt(query.from, parentOf(place), [inner.from.reduce(crossJoin, parent.join.left)])
        : replaceAt(query.from, place, itemsOrOneRow(inner.from, lateral, context)),
    where: allOf([...conditions, query.where]),
  }
  return substituted(joined, inner, lateral, (output) => output, context)
}

/** What remains of a subquery without FROM: nothing in a list, one row where a join needs an operand. */
function itemsOrOneRow(
  items: readonly FromItem[],
  { place }: Lateral,
  context: LowerContext,
): readonly FromItem[] {
  if (items.length > 0 || place.path.length === 0) return items
  const query = select({ outputs: [trueConstant] })
  return [{ kind: 'subquery', id: context.nextId(), query, lateral: false }]
}

function leftJoin(
  query: SelectQuery,
  inner: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
): SelectQuery | undefined {
  const { place, on } = lateral
  const parent = place.path.at(-1)
  if (parent === undefined) return undefined
  if (inner.from.length === 0) {
    // One row for every row on the left: the calculation itself, or NULL where ON is not true.
    if (!isOneCalculation(inner) || on === undefined || !isAlways(on)) return undefined
    const joined = { ...query, from: replaceAt(query.from, parentOf(place), [parent.join.left]) }
    return substituted(joined, inner, lateral, (output) => output, context)
  }
  const right = joinAll(inner.from)
  const driver = drivingLeaf(right)
  const isAlone = right.kind !== 'join'
  const isPlaced = isAlone ? isFree(right, lateral) : isApart(right, lateral)
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
  const guarded = (output: Expression): Expression => {
    if (output.kind === 'column' && own.has(output.relation)) return output
    const whens = [{ condition: isPresent(driver.id), result: output }]
    return { kind: 'case', whens, otherwise: undefined, type: output.type }
  }
  return substituted(joined, inner, lateral, guarded, context, driver.id)
}

function isAlways(on: Expression): boolean {
  return on.kind === 'constant' && on.value === 'true' && on.type.oid === boolType.oid
}
