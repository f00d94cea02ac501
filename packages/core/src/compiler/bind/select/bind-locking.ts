/** @module FOR UPDATE, FOR SHARE and similar clauses. */

import type { LockingClause, Node, SelectStmt } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { FromItem, Locking, RelationId, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { partsOf } from '../tree/expression-parts.ts'
import { leavesOf } from '../tree/from-items.ts'

const strengths: ReadonlyMap<string | undefined, Locking['strength']> = new Map([
  ['LCS_FORUPDATE', 'update'],
  ['LCS_FORNOKEYUPDATE', 'noKeyUpdate'],
  ['LCS_FORSHARE', 'share'],
  ['LCS_FORKEYSHARE', 'keyShare'],
])

const waits: ReadonlyMap<string | undefined, Locking['wait']> = new Map([
  ['LockWaitBlock', 'block'],
  ['LockWaitSkip', 'skip'],
  ['LockWaitError', 'error'],
])

/** Adds the locks of `FOR UPDATE [OF ...]` to a query and to those subqueries in its FROM to which they apply. */
export function bindLocking(
  clauses: SelectStmt['lockingClause'],
  query: SelectQuery,
  sources: readonly RangeTableEntry[],
  found: FoundCalls,
): SelectQuery {
  return (clauses ?? []).reduce((locked, node) => {
    if (!('LockingClause' in node)) throw unsupported('this locking clause', undefined)
    requireLockable(locked, found)
    return lock(locked, lockOf(node.LockingClause), namedItems(node.LockingClause, locked, sources))
  }, query)
}

type Lock = Pick<Locking, 'strength' | 'wait'>

function lockOf({ strength, waitPolicy }: LockingClause): Lock {
  return {
    strength: strengths.get(strength) ?? 'update',
    wait: waits.get(waitPolicy) ?? 'block',
  }
}

/** Kinds of calls in the select list and in the clauses after it. */
export interface FoundCalls {
  readonly windows: boolean
  readonly sets: boolean
}

/** Refuses the queries whose rows PostgreSQL cannot lock. */
function requireLockable(query: SelectQuery, found: FoundCalls): void {
  const obstacles: readonly (readonly [isThere: boolean, name: string])[] = [
    [query.distinct !== 'none', 'DISTINCT clause'],
    [query.groupBy !== undefined, 'GROUP BY clause'],
    [query.having !== undefined, 'HAVING clause'],
    [query.isAggregated, 'aggregate functions'],
    [found.windows, 'window functions'],
    [found.sets, 'set-returning functions in the target list'],
  ]
  const obstacle = obstacles.find(([isThere]) => isThere)
  if (obstacle !== undefined) throw refusal(`FOR UPDATE is not allowed with ${obstacle[1]}`)
}

/** The relations after OF; undefined without OF: all of them. */
function namedItems(
  clause: LockingClause,
  query: SelectQuery,
  sources: readonly RangeTableEntry[],
): ReadonlySet<RelationId> | undefined {
  const { lockedRels = [] } = clause
  if (lockedRels.length === 0) return undefined
  return new Set(lockedRels.map((node) => namedItem(node, query, sources)))
}

function namedItem(
  node: Node,
  query: SelectQuery,
  sources: readonly RangeTableEntry[],
): RelationId {
  if (!('RangeVar' in node)) throw unsupported('this FOR UPDATE OF', undefined)
  const { relname, schemaname, location: position } = node.RangeVar
  if (schemaname !== undefined) {
    throw bindError('FOR UPDATE must specify unqualified relation names', {
      sqlState: '42601',
      position,
    })
  }
  const source = sources.find(({ name, isNamed }) => isNamed && name === relname)
  if (source === undefined) {
    const message = `relation "${relname}" in FOR UPDATE clause not found in FROM clause`
    throw bindError(message, { sqlState: '42P01', position })
  }
  const item = query.from.flatMap(leavesOf).find(({ id }) => id === source.relation)
  switch (item?.kind) {
    case 'table':
    case 'subquery':
      return item.id
    case 'cte':
      throw refusal('FOR UPDATE cannot be applied to a WITH query', position)
    case 'function':
      throw refusal('FOR UPDATE cannot be applied to a function', position)
    default:
      throw refusal('FOR UPDATE cannot be applied to a join', position)
  }
}

function lock(
  query: SelectQuery,
  how: Lock,
  named: ReadonlySet<RelationId> | undefined,
): SelectQuery {
  const isMeant = (item: FromItem) => item.kind !== 'join' && (named?.has(item.id) ?? true)
  const nullable = new Set(query.from.flatMap((item) => nullableItems(item, false)))
  const meant = query.from.flatMap(leavesOf).filter(isMeant)
  if (meant.some(({ id, kind }) => nullable.has(id) && (kind === 'table' || kind === 'subquery'))) {
    throw refusal('FOR UPDATE cannot be applied to the nullable side of an outer join')
  }
  const relations = meant.flatMap(({ id, kind }) => (kind === 'table' ? [id] : []))
  return {
    ...query,
    from: query.from.map((item) => lockSubqueries(item, how, isMeant)),
    locking: relations.length === 0 ? query.locking : [...query.locking, { ...how, relations }],
  }
}

/** A subquery is locked as a whole. */
function lockSubqueries(item: FromItem, how: Lock, isMeant: (item: FromItem) => boolean): FromItem {
  if (item.kind === 'join') {
    return {
      ...item,
      left: lockSubqueries(item.left, how, isMeant),
      right: lockSubqueries(item.right, how, isMeant),
    }
  }
  if (item.kind !== 'subquery' || !isMeant(item)) return item
  const { query } = item
  if (query.kind === 'values') return item
  if (query.kind === 'setOperation') {
    throw refusal('FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT')
  }
  requireLockable(query, callsIn(query))
  return { ...item, query: lock(query, how, undefined) }
}

function callsIn(query: SelectQuery): FoundCalls {
  const found = { windows: false, sets: false }
  const note = (expression: Expression) => {
    if (expression.kind === 'window') found.windows = true
    if (expression.kind === 'call' && expression.function.returnsSet) found.sets = true
    partsOf(expression).expressions.forEach(note)
  }
  query.outputs.forEach(note)
  for (const key of query.orderBy) note(key.expression)
  return found
}

function nullableItems(item: FromItem, isNullable: boolean): readonly RelationId[] {
  if (item.kind !== 'join') return isNullable ? [item.id] : []
  const { type, left, right } = item
  return [
    ...nullableItems(left, isNullable || type === 'right' || type === 'full'),
    ...nullableItems(right, isNullable || type === 'left' || type === 'full'),
  ]
}

function refusal(message: string, position?: number): Error {
  return bindError(message, { sqlState: '0A000', position })
}
