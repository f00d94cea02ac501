/** @module Queries that read no rows, in the form that expressions can contain. */

import { oids, type SqlType } from '@engine/core/catalog'
import type { Expression, Query, SelectQuery, ValuesQuery } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/**
 * Makes such a query read one row: without FROM, MariaDB does not find columns of derived tables around it, or crashes; it
 * ignores OFFSET, and IN loses the NULL of a branch of a UNION.
 */
export function withFromClause(query: Query, context: PrintContext): Query {
  if (!context.traits.faults.queriesWithoutFrom) return query
  switch (query.kind) {
    case 'select':
      return query.from.length > 0 ? query : overRow(query, context)
    case 'setOperation':
      return {
        ...query,
        left: withFromClause(query.left, context),
        right: withFromClause(query.right, context),
      }
    case 'values':
      return overValues(query, context)
  }
}

function overValues(query: ValuesQuery, context: PrintContext): Query {
  const id = context.nextId()
  const { columns } = query
  return {
    ...plain,
    ctes: [],
    columns,
    outputs: columns.map(({ type }, column) => ({ kind: 'column', relation: id, column, type })),
    from: [{ kind: 'subquery', id, query, lateral: false }],
  }
}

const plain: Omit<SelectQuery, 'ctes' | 'columns' | 'outputs' | 'from'> = {
  kind: 'select',
  distinct: 'none',
  where: undefined,
  groupBy: undefined,
  isAggregated: false,
  having: undefined,
  locking: [],
  orderBy: [],
  limit: undefined,
  offset: undefined,
}

function overRow(query: SelectQuery, context: PrintContext): Query {
  const type: SqlType = { oid: oids.bool, typmod: -1 }
  const outputs: readonly Expression[] = [{ kind: 'constant', value: 'true', type }]
  const row: Query = { ...plain, ctes: [], columns: [{ name: '', type }], outputs, from: [] }
  return {
    ...query,
    from: [{ kind: 'subquery', id: context.nextId(), query: row, lateral: false }],
  }
}
