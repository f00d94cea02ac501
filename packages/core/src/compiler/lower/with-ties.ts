/** @module FETCH FIRST n ROWS WITH TIES: rows are numbered and ranked, then chosen by both. */

import type { Query } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'
import { over, withKeysOf } from './derived-table.ts'
import {
  allColumns,
  allOf,
  columnOf,
  compare,
  int8Type,
  integer,
  type LowerContext,
  numbering,
} from './expression-builders.ts'

/**
 * Row m + n is the last row; a row whose rank is at most m + n is one of the first m + n rows or ties with the last of them. The
 * first m rows are left out by their numbers.
 */
export function lowerWithTies(query: Query, context: LowerContext): Query {
  const { limit, offset, ctes, columns } = query
  if (limit?.withTies !== true || limit.count === undefined) return query
  const rows = withKeysOf(query, context)
  const numbers = (['row_number', 'rank'] as const).map((name) =>
    numbering(name, { partitionBy: [], orderBy: rows.orderBy }, context),
  )
  const inner = allColumns(rows.id, rows.query.columns)
  const numbered = over(rows.id, rows.query, { outputs: [...inner, ...numbers] })
  const id = context.nextId()
  const rowNumber = columnOf(id, inner.length, int8Type)
  const rank = columnOf(id, inner.length + 1, int8Type)
  const { count } = limit
  const last = offset === undefined ? count : compare('+', offset, count, context)
  return over(id, numbered, {
    ctes,
    columns,
    outputs: allColumns(id, columns),
    where: allOf([
      compare('<=', rank, last, context),
      isZero(offset) ? undefined : compare('>', rowNumber, offset, context),
      isPositive(count) ? undefined : compare('>', count, integer(0), context),
    ]),
    orderBy: rows.orderBy.map((key) => ({
      ...key,
      expression:
        key.expression.kind === 'column' ? { ...key.expression, relation: id } : key.expression,
    })),
    limit: limit.max === undefined ? undefined : { ...limit, count: undefined, withTies: false },
  })
}

function isZero(offset: Expression | undefined): offset is undefined {
  return offset === undefined || sameExpression(offset, integer(0))
}

function isPositive(count: Expression): boolean {
  return count.kind === 'constant' && typeof count.value === 'string' && /^[1-9]/.test(count.value)
}
