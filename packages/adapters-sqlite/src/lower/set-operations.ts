/** @module INTERSECT ALL and EXCEPT ALL: equal rows are told apart by numbers, then the plain operation does the rest. */
import type { Query, SetQuery } from '@engine/core'
import { over } from './derive.ts'
import { allColumns, int8Type, type LowerContext, numbering, unnamed } from './typed.ts'

export function lowerSetOperation(query: Query, context: LowerContext): Query {
  if (query.kind !== 'setOperation' || !query.all || query.operator === 'union') return query
  const { columns, ctes, orderBy, limit, offset } = query
  const numbered: SetQuery = {
    ...query,
    all: false,
    ctes: [],
    columns: [...columns, unnamed(int8Type)],
    left: withNumbers(query.left, context),
    right: withNumbers(query.right, context),
    orderBy: [],
    limit: undefined,
    offset: undefined,
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

/** SQLite's VALUES has no clauses behind it. */
export function lowerValues(query: Query, context: LowerContext): Query {
  if (query.kind !== 'values') return query
  const { columns, ctes, orderBy, limit, offset } = query
  const isBare = orderBy.length === 0 && limit === undefined && offset === undefined
  if (isBare) return query
  const id = context.nextId()
  const bare: Query = { ...query, ctes: [], orderBy: [], limit: undefined, offset: undefined }
  return over(id, bare, {
    outputs: allColumns(id, columns),
    columns,
    ctes,
    orderBy,
    limit,
    offset,
  })
}
