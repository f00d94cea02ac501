/** @module INTERSECT ALL and EXCEPT ALL: numbers make equal rows distinct, then the plain operation does the rest. */

import type { OutputColumn, Query, SetQuery, ValuesQuery } from '../bind/tree/bound-query.ts'
import { freeRelations } from '../bind/tree/visit-query.ts'
import { noTail, over } from './derived-table.ts'
import {
  allColumns,
  int8Type,
  type LowerContext,
  numbering,
  select,
  unnamed,
} from './expression-builders.ts'

export function lowerSetOperation(query: Query, context: LowerContext): Query {
  if (query.kind !== 'setOperation' || !query.all || query.operator === 'union') return query
  if (context.dialect.hasAllOfSets) return query
  const { columns, ctes, orderBy, limit, offset } = query
  const numbered: SetQuery = {
    ...query,
    all: false,
    ...noTail,
    columns: [...columns, unnamed(int8Type)],
    left: withNumbers(query.left, context),
    right: withNumbers(query.right, context),
  }
  const id = context.nextId()
  return over(id, numbered, {
    outputs: allColumns(id, columns),
    columns,
    ctes,
    orderBy,
    limit,
    offset,
  })
}

/** The k-th of equal rows gets number k. */
function withNumbers(query: Query, context: LowerContext): Query {
  const id = context.nextId()
  const outputs = allColumns(id, query.columns)
  const number = numbering('row_number', { partitionBy: outputs, orderBy: [] }, context)
  return over(id, query, { outputs: [...outputs, number] })
}

/** SQLite's VALUES takes no clauses after it, and its columns have no names when it refers to outer columns. */
export function lowerValues(query: Query, context: LowerContext): Query {
  if (query.kind !== 'values') return query
  const { columns, ctes, orderBy, limit, offset } = query
  const bare: ValuesQuery = { ...query, ...noTail }
  const isRow = bare.rows.length === 1 && !context.dialect.derivedSeesOutside
  const rows = isRow || freeRelations(bare).size > 0 ? asSelects(bare) : bare
  const isBare = orderBy.length === 0 && limit === undefined && offset === undefined
  if (isBare) return { ...rows, ctes }
  const id = context.nextId()
  const outputs = allColumns(id, columns)
  return over(id, rows, { outputs, columns, ctes, orderBy, limit, offset })
}

function asSelects({ rows, columns }: ValuesQuery): Query {
  return unionOf(
    rows.map((outputs) => select({ outputs, columns })),
    columns,
  )
}

/** Most queries in one chain: each is as deep in the tree as the number of queries after it. */
const mostChained = 100

/** The rows of each query after those of the one before; the tree is no deeper than the stack of a walk allows. */
export function unionOf(queries: readonly Query[], columns: readonly OutputColumn[]): Query {
  if (queries.length <= mostChained) {
    return queries.reduce((left, right) => unionAll(left, right, columns))
  }
  const size = Math.ceil(queries.length / mostChained)
  const parts = Array.from({ length: Math.ceil(queries.length / size) }, (_, index) =>
    unionOf(queries.slice(index * size, (index + 1) * size), columns),
  )
  return unionOf(parts, columns)
}

/** `left union all right` */
export function unionAll(left: Query, right: Query, columns: readonly OutputColumn[]): Query {
  return { ...noTail, kind: 'setOperation', operator: 'union', all: true, left, right, columns }
}
