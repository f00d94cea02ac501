/** @module Rows that can be listed in place: as one array, by aggregating them without a subquery in FROM. */

import type { FunctionItem, Query, SelectQuery, SubqueryItem } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { freeRelationsOf } from '../bind/tree/visit-query.ts'
import { boolType, int8Type, recordType } from './expression-builders.ts'
import { type Place, replaceAt } from './from-tree.ts'
import { rowLimit, rowsOfQuery } from './internal-functions.ts'
import type { Lateral } from './lateral-item.ts'
import { callsSets } from './row-bounds.ts'

/**
 * A plain SELECT, a single group, or rows of expressions alone. An aggregate must not refer to outer columns alone, or it would
 * belong to the outer query.
 */
export function canBeListed(query: Query): boolean {
  if (query.ctes.length > 0) return false
  if (query.kind !== 'select') return isConstantRows(query)
  const expressions = [...query.outputs, ...query.orderBy.map((key) => key.expression)]
  if (query.distinct !== 'none' || query.locking.length > 0) return false
  if (expressions.some((each) => callsSets(each) || hasPart(each, isWindow))) return false
  if (query.limit?.withTies === true) return false
  if (query.from.length === 0) return !query.isAggregated && !isCut(query)
  return query.isAggregated
    ? query.groupBy === undefined && hasAggregate(query)
    : looksInside(query)
}

function hasAggregate({ outputs, having }: SelectQuery): boolean {
  const all = [...outputs, ...(having ? [having] : [])]
  return all.some((each) => hasPart(each, ({ kind }) => kind === 'aggregate'))
}

function isWindow({ kind }: Expression): boolean {
  return kind === 'window'
}

function looksInside({ outputs, orderBy, from }: SelectQuery): boolean {
  const used = [...outputs, ...orderBy.map((key) => key.expression)].map(freeRelationsOf)
  const all = new Set(used.flatMap((each) => [...each]))
  return all.size === 0 || !all.isDisjointFrom(relationsIn(from))
}

function isCut({ limit, offset }: Query): boolean {
  return limit !== undefined || offset !== undefined
}

function isConstantRows(query: Query): boolean {
  if (query.orderBy.length > 0 || isCut(query) || query.ctes.length > 0) return false
  switch (query.kind) {
    case 'select':
      return query.from.length === 0 && query.where === undefined && !query.isAggregated
    case 'values':
      return true
    case 'setOperation':
      return (
        query.operator === 'union' &&
        query.all &&
        isConstantRows(query.left) &&
        isConstantRows(query.right)
      )
  }
}

/** The subquery's rows as a table function, which sees the items on its left; undefined for rows that cannot be listed. */
export function asListedRows(
  query: SelectQuery,
  { item, place }: Lateral,
): SelectQuery | undefined {
  const { query: inner } = item
  return canBeListed(inner) ? asRowsOf(query, item, place) : undefined
}

export function asRowsOf(
  query: SelectQuery,
  { id, query: inner }: SubqueryItem,
  place: Place,
): SelectQuery {
  const rows: FunctionItem = {
    kind: 'function',
    id,
    call: {
      kind: 'call',
      function: rowsOfQuery,
      args: [{ kind: 'subquery', query: inner, type: recordType }],
      type: recordType,
    },
    columns: inner.columns,
    withOrdinality: false,
  }
  return { ...query, from: replaceAt(query.from, place, [rows]) }
}

/** The number of rows of a LIMIT or OFFSET, checked. */
export function limitCall(count: Expression, isOffset: boolean): Expression {
  const flag: Expression = { kind: 'constant', value: String(isOffset), type: boolType }
  return { kind: 'call', function: rowLimit, args: [count, flag], type: int8Type }
}
