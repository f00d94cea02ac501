/** @module DISTINCT ON: the first row of every group is the one with number 1. */

import type { Query, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'
import { over, withKeys } from './derived-table.ts'
import {
  allColumns,
  columnOf,
  compare,
  int8Type,
  integer,
  type LowerContext,
  numbering,
} from './expression-builders.ts'

/**
 * `select distinct on (k) a from t order by k, b limit 3` becomes
 * `select a from (select a, k, b, row_number() over (partition by k order by k, b) n from (select a, k, b from t))
 * where n = 1 order by k, b limit 3`.
 */
export function lowerDistinctOn(query: Query, context: LowerContext): Query {
  if (query.kind !== 'select' || typeof query.distinct === 'string') return query
  const { distinct, orderBy: sort, limit, offset, ctes, columns } = query
  const leading = distinct.on.map((key) => sameKey(key, sort))
  const rows = withKeys(query, leading, context)
  const number = numbering(
    'row_number',
    { partitionBy: rows.extras, orderBy: rows.orderBy },
    context,
  )
  const inner = allColumns(rows.id, rows.query.columns)
  const numbered = over(rows.id, rows.query, { outputs: [...inner, number] })
  const id = context.nextId()
  return over(id, numbered, {
    ctes,
    columns,
    outputs: allColumns(id, columns),
    where: compare('=', columnOf(id, inner.length, int8Type), integer(1), context),
    orderBy: rows.orderBy.map((key) => ({
      ...key,
      expression:
        key.expression.kind === 'column' ? { ...key.expression, relation: id } : key.expression,
    })),
    limit,
    offset,
  })
}

/** An equal ORDER BY key shares one column with it. */
function sameKey(key: Expression, sort: SelectQuery['orderBy']): Expression {
  return sort.find(({ expression }) => sameExpression(expression, key))?.expression ?? key
}
