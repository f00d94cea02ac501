/** @module A lateral subquery with at most one row becomes a scalar subquery at each use. */

import type { Query, RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { copyOfQuery } from '../bind/tree/fresh-copy.ts'
import { mapExpression, mapQuery } from '../bind/tree/map-query.ts'
import {
  allColumns,
  allOf,
  boolType,
  derived,
  isTrue,
  type LowerContext,
  recordType,
  select,
  trueConstant,
} from './expression-builders.ts'
import { type Place, parentOf, replaceAt } from './from-tree.ts'
import type { Lateral } from './lateral-item.ts'
import { renamedRow, replacing } from './references.ts'
import { hasExactlyOneRow } from './row-bounds.ts'

export function asScalars(
  query: SelectQuery,
  lateral: Lateral,
  context: LowerContext,
  lower: (query: SelectQuery) => SelectQuery,
): SelectQuery {
  const { item, type } = lateral
  const on = lateral.on && !isTrue(lateral.on) ? lateral.on : undefined
  // ON of an inner join may move to WHERE; ON of a left join decides whether there are values.
  const isAlwaysThere = hasExactlyOneRow(item.query)
  const isFolded = on !== undefined && (type === 'left' || !isAlwaysThere)
  const inner = isFolded ? lower(filtered(item.query, item.id, on, context)) : item.query
  const demands =
    type === 'left' ? [] : isAlwaysThere ? [on] : [exists(copyOfQuery(inner, context))]
  const without: SelectQuery = {
    ...query,
    ...removed(query, lateral.place, context),
  }
  const joined = { ...without, where: allOf([without.where, ...demands]) }
  const mapped = mapQuery(
    joined,
    replacing(item.id, {
      column: (column) => {
        const value = project(inner, column.column, context, lower)
        return { kind: 'subquery', query: copyOfQuery(value, context), type: column.type }
      },
      wholeRow: (row) => {
        const id = context.nextId()
        const value = lower(
          select({
            outputs: [renamedRow(row, id)],
            from: [derived(id, copyOfQuery(inner, context))],
          }),
        )
        return { kind: 'subquery', query: value, type: recordType }
      },
    }),
  )
  return mapped.kind === 'select' ? mapped : query
}

function exists(query: Query): Expression {
  return { kind: 'exists', query, type: boolType }
}

/** The rows of `query` for which `on` is true; `on` refers to them as `id`. */
function filtered(
  query: Query,
  id: RelationId,
  on: Expression,
  context: LowerContext,
): SelectQuery {
  const own = context.nextId()
  const where = mapExpression(
    on,
    replacing(id, {
      column: (column) => ({ ...column, relation: own }),
      wholeRow: (row) => renamedRow(row, own),
    }),
  )
  return select({
    outputs: allColumns(own, query.columns),
    columns: query.columns,
    from: [derived(own, query)],
    where,
  })
}

/** The clauses without the item. For an outer join on its right, a one-row operand takes its place. */
function removed(
  query: SelectQuery,
  place: Place,
  context: LowerContext,
): Pick<SelectQuery, 'from' | 'where'> {
  const { from, where } = query
  const parent = place.path.at(-1)
  if (parent === undefined) return { from: replaceAt(from, place, []), where }
  const { join, side } = parent
  if (side === 'right') return { from: replaceAt(from, parentOf(place), [join.left]), where }
  if (join.type === 'inner' || join.type === 'cross') {
    return {
      from: replaceAt(from, parentOf(place), [join.right]),
      where: allOf([where, join.on]),
    }
  }
  const oneRow = derived(context.nextId(), select({ outputs: [trueConstant] }))
  return { from: replaceAt(from, place, [oneRow]), where }
}

/** The query with only one of its columns. */
function project(
  query: Query,
  index: number,
  context: LowerContext,
  lower: (query: SelectQuery) => SelectQuery,
): Query {
  const column = query.columns[index]
  if (column === undefined) return query
  if (query.kind === 'select' && query.distinct === 'none') {
    const { outputs } = query
    const output = outputs[index]
    if (output === undefined) return query
    const orderBy = query.orderBy.map((key) => ({
      ...key,
      expression:
        key.expression.kind === 'output'
          ? (outputs[key.expression.index] ?? key.expression)
          : key.expression,
    }))
    return { ...query, outputs: [output], columns: [column], orderBy }
  }
  if (query.columns.length === 1) return query
  const id = context.nextId()
  return lower(
    select({
      outputs: allColumns(id, query.columns).slice(index, index + 1),
      columns: [column],
      from: [derived(id, query)],
    }),
  )
}
