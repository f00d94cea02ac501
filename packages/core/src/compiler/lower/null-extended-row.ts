/**
 * @module The whole row of a null-extended side of an outer join is SQL NULL. The relation gets a column that is never NULL in a
 * real row, unless it has one, and every whole row of it becomes `case when <that column> is not null then <row> end`.
 */

import type {
  BoundStatement,
  FromItem,
  JoinItem,
  Query,
  RelationId,
  SubqueryItem,
} from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { leavesOf } from '../bind/tree/from-items.ts'
import { mapStatement } from '../bind/tree/map-query.ts'
import type { SecuredTable } from '../bind/tree/secured-table.ts'
import { visitStatement } from '../bind/tree/visit-query.ts'
import {
  allColumns,
  boolType,
  columnOf,
  derived,
  int8Type,
  isNull,
  isPresenceTest,
  type LowerContext,
  nullConstant,
  select,
  trueConstant,
  unnamed,
} from './expression-builders.ts'
import { rowsOfQuery } from './internal-functions.ts'
import { usedColumns } from './used-columns.ts'

type Leaf = Exclude<FromItem, JoinItem>

/** Also replaces the conditions that `isPresent` builds. */
export function markNullExtendedRows(
  statement: BoundStatement,
  context: LowerContext,
): BoundStatement {
  const wanted = wantedMarkers(statement)
  const used = usedColumns(statement)
  const markers = new Map<RelationId, ColumnReference>()
  const marked = mapStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'join' || !wanted.has(item.id)) return item
      const [changed, column] = withMarker(item, used.get(item.id) ?? new Set(), context)
      markers.set(item.id, column)
      return changed
    },
  })
  return mapStatement(marked, {
    before: (expression) => {
      if (!isPresenceTest(expression)) return undefined
      const marker = markers.get(expression.operand.relation)
      return marker === undefined ? trueConstant : isNull(marker, true)
    },
    expression: (expression) => {
      if (expression.kind !== 'wholeRow') return expression
      const marker = markers.get(expression.relation)
      if (marker === undefined) return expression
      const whens = [{ condition: isNull(marker, true), result: expression }]
      return { kind: 'case', whens, otherwise: undefined, type: expression.type }
    },
  })
}

/** Relations that can be null-extended and whose whole rows are used. */
function wantedMarkers(statement: BoundStatement): ReadonlySet<RelationId> {
  const nullable = new Set<RelationId>()
  const asRows = new Set<RelationId>()
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'join') return
      const sides = [
        ...(item.type === 'left' || item.type === 'full' ? [item.right] : []),
        ...(item.type === 'right' || item.type === 'full' ? [item.left] : []),
      ]
      for (const leaf of sides.flatMap(leavesOf)) nullable.add(leaf.id)
    },
    expression: (expression) => {
      if (expression.kind === 'wholeRow') asRows.add(expression.relation)
    },
  })
  return nullable.intersection(asRows)
}

/** The item with the same identity and columns, and a column that is not NULL in any real row. */
function withMarker(
  item: Leaf,
  used: ReadonlySet<number>,
  context: LowerContext,
): readonly [Leaf, ColumnReference] {
  switch (item.kind) {
    case 'subquery':
      return markedSubquery(item)
    case 'cte': {
      const id = context.nextId()
      const outputs = [...allColumns(id, item.columns), trueConstant]
      return around(item.id, select({ outputs, from: [{ ...item, id }] }))
    }
    case 'function': {
      if (item.call.kind === 'call' && item.call.function === rowsOfQuery) {
        return markedRows(item, item.call)
      }
      if (item.withOrdinality) {
        return [item, columnOf(item.id, item.columns.length - 1, int8Type)]
      }
      const columns = [...item.columns, unnamed(int8Type)]
      const counted = { ...item, columns, withOrdinality: true }
      return [counted, columnOf(item.id, item.columns.length, int8Type)]
    }
    case 'securedTable':
    case 'table':
      return item.kind === 'table'
        ? [item, columnOf(item.id, 0, boolType)]
        : markedTable(item, used, context)
  }
}

function markedSubquery(item: SubqueryItem): readonly [Leaf, ColumnReference] {
  const { query } = item
  const marker = columnOf(item.id, query.columns.length, boolType)
  return [{ ...item, query: withTrueColumn(query) }, marker]
}

/** The new column does not change which rows are equal. */
function withTrueColumn(query: Query): Query {
  const columns = [...query.columns, unnamed(boolType)]
  switch (query.kind) {
    case 'select':
      return { ...query, outputs: [...query.outputs, trueConstant], columns }
    case 'values':
      return { ...query, rows: query.rows.map((row) => [...row, trueConstant]), columns }
    case 'setOperation':
      return {
        ...query,
        columns,
        left: withTrueColumn(query.left),
        right: withTrueColumn(query.right),
      }
  }
}

function markedRows(
  item: Extract<Leaf, { kind: 'function' }>,
  call: Extract<Expression, { kind: 'call' }>,
): readonly [Leaf, ColumnReference] {
  const args = call.args.map((argument) =>
    argument.kind === 'subquery'
      ? { ...argument, query: withTrueColumn(argument.query) }
      : argument,
  )
  const columns = [...item.columns, unnamed(boolType)]
  const marked = { ...item, columns, call: { ...call, args } }
  return [marked, columnOf(item.id, item.columns.length, boolType)]
}

function markedTable(
  item: SecuredTable,
  used: ReadonlySet<number>,
  context: LowerContext,
): readonly [Leaf, ColumnReference] {
  const { table, readable, masks } = item
  const sure = table.columns.find(
    ({ ordinal, nullable, native }) =>
      readable.has(ordinal) && !masks.has(ordinal) && !nullable && native?.['storesNull'] !== true,
  )
  if (sure !== undefined && table.kind === 'table') {
    return [item, columnOf(item.id, sure.ordinal, sure.type)]
  }
  const id = context.nextId()
  const cells = table.columns.map(({ ordinal, type }) =>
    readable.has(ordinal) && used.has(ordinal) ? columnOf(id, ordinal, type) : nullConstant(type),
  )
  return around(item.id, select({ outputs: [...cells, trueConstant], from: [{ ...item, id }] }))
}

/** A subquery whose last column is the marker. */
function around(id: RelationId, query: Query): readonly [Leaf, ColumnReference] {
  return [derived(id, query), columnOf(id, query.columns.length - 1, boolType)]
}
