import type {
  CommonTable,
  FromItem,
  Query,
  RelationId,
  SelectQuery,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { visitExpression, visitQuery, visitWrite } from '../../bind/tree/visit-query.ts'
import { oids } from '../../sql-types/oids.ts'

/**
 * A query over proposed rows without the cells that its condition does not read: a row can be checked although another of its
 * cells is volatile, or cannot be computed. WITH queries that nothing refers to are left out.
 */
export function withoutUnread(query: SelectQuery): SelectQuery {
  const read = columnsRead(query)
  const from = query.from.map((item): FromItem => {
    if (item.kind !== 'subquery') return item
    const isRead = (column: number) => read.get(item.id)?.has(column) === true
    return { ...item, query: withoutCells(item.query, isRead) }
  })
  const { ctes } = query
  return { ...query, from, ctes: referredTo({ ...query, from, ctes: [] }, ctes) }
}

function columnsRead(query: Query): ReadonlyMap<RelationId, ReadonlySet<number>> {
  const read = new Map<RelationId, Set<number>>()
  visitQuery(query, {
    expression: (part) => {
      if (part.kind !== 'column') return
      const columns = read.get(part.relation) ?? new Set()
      read.set(part.relation, columns.add(part.column))
    },
  })
  return read
}

const nothing: Expression = { kind: 'constant', value: null, type: { oid: oids.int4, typmod: -1 } }

/** Replaces cells that are not read by NULL; they stay where that could change the number of rows. */
function withoutCells(query: Query, isRead: (column: number) => boolean): Query {
  if (query.kind === 'setOperation' || query.orderBy.length > 0) return query
  const columns = query.columns.map((column, index) =>
    isRead(index) ? column : { ...column, type: nothing.type },
  )
  if (query.kind === 'values') {
    const rows = query.rows.map((row) => row.map((cell, i) => (isRead(i) ? cell : nothing)))
    return { ...query, columns, rows }
  }
  if (query.distinct !== 'none' || query.isAggregated || query.outputs.some(returnsSet))
    return query
  const outputs = query.outputs.map((output, index) => (isRead(index) ? output : nothing))
  return { ...query, columns, outputs }
}

function returnsSet(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    expression: (part) => {
      isFound ||= part.kind === 'call' && part.function.returnsSet
    },
  })
  return isFound
}

/** The WITH queries that `query` needs, in their order. */
function referredTo(query: Query, ctes: readonly CommonTable[]): readonly CommonTable[] {
  const needed = new Set<number>()
  const visitor = {
    fromItem: (item: FromItem) => {
      if (item.kind === 'cte') needed.add(item.cte)
    },
  }
  visitQuery(query, visitor)
  return ctes
    .toReversed()
    .filter(({ id, query: body }) => {
      if (!needed.has(id)) return false
      if (isWrite(body)) visitWrite(body, visitor)
      else visitQuery(body, visitor)
      return true
    })
    .toReversed()
}
