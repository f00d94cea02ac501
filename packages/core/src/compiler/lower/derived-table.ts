/** @module Queries over the rows of a query. */

import type { Query, RelationId, SelectQuery, SortKey } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'
import {
  allColumns,
  columnOf,
  derived,
  type LowerContext,
  select,
  unnamed,
} from './expression-builders.ts'

/** The clauses that apply after the rows are computed. */
export type Tail = Pick<Query, 'orderBy' | 'limit' | 'offset' | 'ctes'>

export const noTail: Tail = { orderBy: [], limit: undefined, offset: undefined, ctes: [] }

/** A query without its tail whose rows also have their sort keys (and optional extras) as columns. */
export interface KeyedRows {
  readonly query: Query
  /** Sort keys as columns of `id`, the relation of `query` in FROM. */
  readonly id: RelationId
  readonly outputs: readonly Expression[]
  readonly orderBy: readonly SortKey[]
  readonly extras: readonly Expression[]
}

/** `select` with its sort keys and `extras` as further columns, without its tail and without DISTINCT. */
export function withKeys(
  query: SelectQuery,
  extras: readonly Expression[],
  context: LowerContext,
): KeyedRows {
  const id = context.nextId()
  const outputs = [...query.outputs]
  const columns = [...query.columns]
  const added = (expression: Expression): Expression => {
    if (expression.kind === 'output') return columnOf(id, expression.index, expression.type)
    const known = outputs.indexOf(expression)
    if (known >= 0) return columnOf(id, known, expression.type)
    columns.push(unnamed(expression.type))
    return columnOf(id, outputs.push(expression) - 1, expression.type)
  }
  const orderBy = query.orderBy.map((key) => ({ ...key, expression: added(key.expression) }))
  const others = extras.map(added)
  return {
    query: { ...query, ...noTail, locking: [], distinct: 'none', outputs, columns },
    id,
    outputs: allColumns(id, query.columns),
    orderBy,
    extras: others,
  }
}

/** The same for a query that is not a plain SELECT: sort keys above set operations are result columns. */
export function withKeysOf(query: Query, context: LowerContext): KeyedRows {
  if (query.kind === 'select' && query.distinct === 'none') return withKeys(query, [], context)
  const id = context.nextId()
  const orderBy = query.orderBy.map((key) => ({
    ...key,
    expression:
      key.expression.kind === 'output'
        ? columnOf(id, key.expression.index, key.expression.type)
        : key.expression,
  }))
  return {
    query: { ...query, ...noTail },
    id,
    outputs: allColumns(id, query.columns),
    orderBy,
    extras: [],
  }
}

/** `select <outputs> from (<query>)` with the clauses that a lowering adds. */
export function over(
  id: RelationId,
  query: Query,
  parts: Parameters<typeof select>[0],
): SelectQuery {
  return select({ ...parts, from: [derived(id, query)] })
}

/** A query whose rows also have their sort keys as columns, with its tail. */
export interface ShownKeys {
  readonly query: Query
  /** Sort keys as columns of `id`, the relation of the query in FROM. */
  readonly orderBy: readonly SortKey[]
}

/** The same rows in the same order, for a reader that sorts them again. */
export function shownKeys(query: Query, id: RelationId): ShownKeys {
  const outputs = query.kind === 'select' ? [...query.outputs] : []
  const columns = [...query.columns]
  const indexOf = (expression: Expression): number => {
    if (expression.kind === 'output') return expression.index
    const known = outputs.findIndex((each) => sameExpression(each, expression))
    if (known >= 0) return known
    columns.push(unnamed(expression.type))
    return outputs.push(expression) - 1
  }
  const orderBy = query.orderBy.map((key) => ({
    ...key,
    expression: columnOf(id, indexOf(key.expression), key.expression.type),
  }))
  return { query: query.kind === 'select' ? { ...query, outputs, columns } : query, orderBy }
}
