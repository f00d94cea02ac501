/**
 * @module Windows without a key that differs between rows: `over ()`, `over (partition by 1)`. With other windows in the query,
 * MariaDB sorts the rows of those the wrong way. Such a window gets a key of another: with all rows of the partition in the frame
 * it makes no difference.
 *
 * MySQL refuses keys that depend on an outer query alone: in a subquery they are the same for all rows, and are left out.
 */
import {
  type Expression,
  type FromItem,
  freeRelationsOf,
  isVolatile,
  mapExpression,
  type RelationId,
  type SelectQuery,
  type WindowCall,
  type WindowFrame,
} from '@engine/core/tree'
import { placing } from '../expression/comparison/window-definition.ts'
import { classOfType, type PrintContext } from '../print-context.ts'
import { comparesNatively } from '../type-class.ts'

export function withKeysInConstantWindows(query: SelectQuery, context: PrintContext): SelectQuery {
  const { windowsWithoutKeys, windowsOfOuterKeys } = context.traits.faults
  const own = new Set(query.from.flatMap(relationsOf))
  if (windowsOfOuterKeys) return mapWindows(query, (window) => withoutSameKeys(window, own))
  if (!windowsWithoutKeys) return query
  const windows = [...query.outputs, ...query.orderBy.map((key) => key.expression)].flatMap(
    windowsIn,
  )
  const keys = windows.flatMap(keysOf).filter((key) => isOfRow(key, own))
  const key = keys.find(({ type }) => comparesNatively(classOfType(type, context))) ?? keys[0]
  const isEmpty = (window: WindowCall) => !keysOf(window).some((each) => isOfRow(each, own))
  if (key === undefined || !windows.some(isEmpty)) return query
  return mapWindows(query, (window) => (isEmpty(window) ? sorted(window, key) : window))
}

function mapWindows(query: SelectQuery, change: (window: WindowCall) => Expression): SelectQuery {
  const map = (expression: Expression) =>
    mapExpression(expression, {
      before: (part) => ('query' in part ? part : undefined),
      expression: (part) => (part.kind === 'window' ? change(part) : part),
    })
  return {
    ...query,
    outputs: query.outputs.map(map),
    orderBy: query.orderBy.map((each) => ({ ...each, expression: map(each.expression) })),
  }
}

/** A distance from the current row needs its key, even one that is the same for all rows. */
function withoutSameKeys(window: WindowCall, own: ReadonlySet<RelationId>): WindowCall {
  const { partitionBy, orderBy, frame } = window
  const hasDistance =
    frame?.mode === 'range' && [frame.start, frame.end].some((each) => 'offset' in each)
  return hasDistance
    ? window
    : {
        ...window,
        partitionBy: partitionBy.filter((key) => isOfRow(key, own)),
        orderBy: orderBy.filter(({ expression }) => isOfRow(expression, own)),
      }
}

function windowsIn(expression: Expression): readonly WindowCall[] {
  const found: WindowCall[] = []
  mapExpression(expression, {
    before: (part) => {
      if (part.kind === 'window') found.push(part)
      return 'query' in part ? part : undefined
    },
  })
  return found
}

function keysOf({ partitionBy, orderBy }: WindowCall): readonly Expression[] {
  return [...partitionBy, ...orderBy.map((key) => key.expression)]
}

/** May it differ between rows? */
function isOfRow(key: Expression, own: ReadonlySet<RelationId>): boolean {
  if (!freeRelationsOf(key).isDisjointFrom(own) || isVolatile(key)) return true
  let hasAggregate = false
  mapExpression(key, {
    before: (part) => {
      hasAggregate ||= part.kind === 'aggregate'
      return 'query' in part ? part : undefined
    },
  })
  return hasAggregate
}

const wholePartition: WindowFrame = {
  mode: 'rows',
  start: { kind: 'unboundedPreceding' },
  end: { kind: 'unboundedFollowing' },
  exclude: 'none',
}

/** All rows are peers of each other, so that a RANGE frame contains all of them. */
function sorted(window: WindowCall, key: Expression): Expression {
  const { function: definition, frame, type } = window
  const constant = ofPeers[definition.name]
  if (constant !== undefined) return { kind: 'constant', value: constant, type }
  const isOfRange = frame === undefined || (frame.mode === 'range' && frame.exclude === 'none')
  return {
    ...window,
    partitionBy: [],
    orderBy: [{ expression: key, descending: false, nullsFirst: false }],
    frame: placing.has(definition.name) ? undefined : isOfRange ? wholePartition : frame,
  }
}

/** The results of these functions where all rows are peers. */
const ofPeers: Readonly<Record<string, string>> = {
  rank: '1',
  dense_rank: '1',
  percent_rank: '0',
  cume_dist: '1',
}

function relationsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...relationsOf(item.left), ...relationsOf(item.right)] : [item.id]
}
