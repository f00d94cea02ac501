import type { FromItem, OutputColumn, Query, SelectQuery, SortKey } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import type { BindContext } from './context.ts'

/** The outputs of a SELECT around a query, made from its columns. */
export interface Projection {
  readonly outputs: readonly Expression[]
  readonly columns: readonly OutputColumn[]
  readonly orderBy?: readonly SortKey[]
}

/**
 * `select <outputs> from (<query>)`.
 *
 * @param project receives one reference for each column of the query.
 */
export function selectOver(
  query: Query,
  context: BindContext,
  project: (cells: readonly Expression[]) => Projection,
): SelectQuery {
  const id = context.nextId()
  const { outputs, columns, orderBy } = project(
    query.columns.map(({ type }, column) => ({ kind: 'column', relation: id, column, type })),
  )
  const over: FromItem = { kind: 'subquery', id, query, lateral: false }
  return selectFrom(over, { outputs, columns, orderBy: orderBy ?? [] })
}

/** `select <outputs> from <item>`. */
export function selectFrom(
  item: FromItem,
  { outputs, columns, orderBy = [] }: Projection,
): SelectQuery {
  return {
    kind: 'select',
    ctes: [],
    columns,
    outputs,
    distinct: 'none',
    from: [item],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy,
    limit: undefined,
    offset: undefined,
  }
}
