/** @module Joins: NATURAL and USING become plain conditions, and one column for each pair that they merge. */

import type { JoinExpr, Node } from '@pgsql/types'
import { bindError } from '../../sql/bind-error.ts'
import { coerceAll, commonTypeOf } from '../coercion/common-type.ts'
import { joinLogical } from '../coercion/join-logical.ts'
import { boolType } from '../coercion/null-test.ts'
import { comparisonCall } from '../coercion/operator-call.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { BoundItem, FromPlace } from '../scope/from-item.ts'
import {
  plainEntry,
  type RangeTableEntry,
  renameColumns,
  requireDistinctNames,
} from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { nameParts, required } from '../scope/syntax-node.ts'
import type { JoinItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { relationsIn } from '../tree/from-items.ts'

export type BindItem = (node: Node, place: FromPlace) => BoundItem

const joinTypes: ReadonlyMap<string | undefined, JoinItem['type']> = new Map([
  ['JOIN_INNER', 'inner'],
  ['JOIN_LEFT', 'left'],
  ['JOIN_RIGHT', 'right'],
  ['JOIN_FULL', 'full'],
])

export function bindJoin(node: JoinExpr, place: FromPlace, bindItem: BindItem): BoundItem {
  const type = joinTypes.get(node.jointype) ?? 'inner'
  const left = bindItem(required(node.larg, 'JOIN'), place)
  const seesLeft = type === 'inner' || type === 'left'
  const right = bindItem(required(node.rarg, 'JOIN'), {
    ...place,
    left: [
      ...place.left,
      ...left.sources.map((source) => (seesLeft ? source : { ...source, isBlocked: true })),
    ],
  })
  requireDistinctNames(left.sources, right.sources, undefined)
  const sides: Sides = { type, left, right }
  const inner = [...left.sources, ...right.sources]
  // ON sees only the two sides of its join.
  const { context, outer } = place
  const relations = relationsIn([left.item, right.item])
  const scope = createScope({ outer, view: context.view, sources: inner, relations })
  const environment = clauseEnvironment(context, scope, 'JOIN/ON')
  const merged = mergedColumns(node, sides, environment)
  const on =
    merged === undefined
      ? node.quals && bindBoolean(node.quals, environment)
      : equalities(merged, environment)
  const isCross = on === undefined && type === 'inner'
  return {
    item: {
      kind: 'join',
      type: isCross ? 'cross' : type,
      left: left.item,
      right: right.item,
      on: on ?? (isCross ? undefined : alwaysTrue),
    },
    sources: joinSources(node, sides, merged ?? [], inner),
  }
}

const alwaysTrue: Expression = { kind: 'constant', value: 'true', type: boolType }

interface Sides {
  readonly type: JoinItem['type']
  readonly left: BoundItem
  readonly right: BoundItem
}

/** The columns that `*` adds for a side. */
function openColumns(item: BoundItem): readonly NamedExpression[] {
  return item.sources.filter(({ isOpen }) => isOpen).flatMap(({ columns }) => columns)
}

/** A pair of columns that USING or NATURAL merges. */
interface MergedColumn {
  readonly name: string
  readonly left: Expression
  readonly right: Expression
  readonly value: Expression
}

/** Undefined for a join with ON or without a condition. */
function mergedColumns(
  node: JoinExpr,
  sides: Sides,
  environment: ExpressionEnvironment,
): readonly MergedColumn[] | undefined {
  const isUsing = (node.usingClause ?? []).length > 0
  if (node.isNatural !== true && !isUsing) return undefined
  const left = openColumns(sides.left)
  const right = openColumns(sides.right)
  const names = isUsing
    ? nameParts(node.usingClause, 'this USING', undefined)
    : commonNames(left, right)
  const repeated = names.find((name, i) => names.indexOf(name) < i)
  if (repeated !== undefined) {
    throw bindError(`column name "${repeated}" appears more than once in USING clause`, {
      sqlState: '42701',
      position: undefined,
    })
  }
  return names.map((name) => {
    const one = sideColumn(left, name, 'left', environment)
    const other = sideColumn(right, name, 'right', environment)
    const value = mergedValue(sides.type, one, other, environment)
    return { name, left: one, right: other, value }
  })
}

/** The common names for NATURAL, in the order of the left side. */
function commonNames(
  left: readonly NamedExpression[],
  right: readonly NamedExpression[],
): readonly string[] {
  const onRight = new Set(right.map(({ name }) => name))
  return [...new Set(left.map(({ name }) => name))].filter((name) => onRight.has(name))
}

function sideColumn(
  columns: readonly NamedExpression[],
  name: string,
  side: 'left' | 'right',
  environment: ExpressionEnvironment,
): Expression {
  const [column, ...others] = columns.filter((candidate) => candidate.name === name)
  if (column === undefined) {
    const known = columns.map((candidate) => candidate.name)
    const missing = { name, table: undefined, position: undefined, known }
    throw environment.context.view.unknownColumn(missing)
  }
  if (others.length === 0) return column.expression
  throw bindError(`common column name "${name}" appears more than once in ${side} table`, {
    sqlState: '42702',
    position: undefined,
  })
}

function mergedValue(
  type: JoinItem['type'],
  left: Expression,
  right: Expression,
  environment: ExpressionEnvironment,
): Expression {
  const common = commonTypeOf([left, right], 'JOIN/USING', environment)
  const sides = coerceAll([left, right], common, environment)
  const [leftValue = left, rightValue = right] = sides
  switch (type) {
    case 'full':
      return { kind: 'coalesce', args: sides, type: common }
    case 'right':
      return rightValue
    case 'left':
      return leftValue
    default:
      // An inner join may take either side: take the one that needs no conversion.
      return left.type.oid === common.oid ? leftValue : rightValue
  }
}

function equalities(
  merged: readonly MergedColumn[],
  environment: ExpressionEnvironment,
): Expression | undefined {
  const conditions = merged.map(({ left, right }) =>
    comparisonCall('=', left, right, 'JOIN/USING', undefined, environment),
  )
  return conditions.length === 0 ? undefined : joinLogical('and', conditions, undefined)
}

function joinSources(
  { alias, join_using_alias: usingAlias }: JoinExpr,
  sides: Sides,
  merged: readonly MergedColumn[],
  inner: readonly RangeTableEntry[],
): readonly RangeTableEntry[] {
  // Without merged columns and without a name the join has just the columns of its two sides.
  if (alias === undefined && merged.length === 0) return inner
  const names = new Set(merged.map(({ name }) => name))
  const isOwn = ({ name }: NamedExpression) => !names.has(name)
  const values = merged.map(({ name, value }) => ({ name, expression: value }))
  const columns = [
    ...values,
    ...openColumns(sides.left).filter(isOwn),
    ...openColumns(sides.right).filter(isOwn),
  ]
  const whole = plainEntry(
    alias?.aliasname,
    renameColumns(columns, alias, `join expression "${alias?.aliasname}"`, undefined),
    undefined,
  )
  const using = usingAlias && {
    ...plainEntry(usingAlias.aliasname, values, undefined),
    isOpen: false,
  }
  if (using) requireDistinctNames(inner, [using], undefined)
  // The alias of the whole join hides everything in it, the alias of USING included.
  if (alias) return [whole]
  const reachable = inner.map((source) => ({ ...source, isOpen: false }))
  return [...reachable, whole, ...(using ? [using] : [])]
}
