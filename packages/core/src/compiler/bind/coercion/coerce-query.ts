import type { SqlType } from '../../sql-types/sql-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { OutputColumn, Query, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { coerceTo } from './coerce.ts'

/**
 * A query with the same rows whose columns have these types, by implicit conversion. The conversions go into its own
 * outputs where that changes nothing else, and around it otherwise.
 */
export function coerceQuery(
  query: Query,
  types: readonly SqlType[],
  environment: ExpressionEnvironment,
): Query {
  const isEach = query.columns.every(({ type }, i) => type.oid === types[i]?.oid)
  if (isEach) return query
  const columns = query.columns.map((column, i) => ({ ...column, type: types[i] ?? column.type }))
  const coerce = (outputs: readonly Expression[]) =>
    outputs.map((output, i) => coerceTo(output, types[i] ?? output.type, 'implicit', environment))
  return query.kind === 'select' && isPlain(query)
    ? { ...query, columns, outputs: coerce(query.outputs) }
    : aroundQuery(query, columns, coerce, environment)
}

/** Does the query's result alone depend on its outputs? */
function isPlain(query: SelectQuery): boolean {
  return query.distinct === 'none' && query.orderBy.every((key) => key.expression.kind !== 'output')
}

function aroundQuery(
  query: Query,
  columns: readonly OutputColumn[],
  coerce: (outputs: readonly Expression[]) => readonly Expression[],
  environment: ExpressionEnvironment,
): SelectQuery {
  const id = environment.context.nextId()
  const cells = query.columns.map(
    ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
  )
  return {
    kind: 'select',
    ctes: [],
    columns,
    outputs: coerce(cells),
    distinct: 'none',
    from: [{ kind: 'subquery', id, query, lateral: false }],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}
