/** @module What a tree says of a relation, and putting something else in its place. */
import {
  type Expression,
  mapExpression,
  type Query,
  type RelationId,
  type Rewriter,
  type Visitor,
  visitExpression,
  visitQuery,
  type WholeRow,
} from '@engine/core'
import type { ColumnReference } from '@engine/core'

/** What stands for the columns and for the whole row of a relation. */
export interface Replacement {
  column(column: ColumnReference): Expression
  wholeRow(row: WholeRow): Expression
}

/** Wherever the relation is used, subqueries included, the replacement; nothing else changes. */
export function replacing(relation: RelationId, replacement: Replacement): Rewriter {
  return {
    before: (expression) => {
      if (expression.kind === 'column' && expression.relation === relation) {
        return replacement.column(expression)
      }
      if (expression.kind === 'wholeRow' && expression.relation === relation) {
        return replacement.wholeRow(expression)
      }
      return undefined
    },
  }
}

/** The same row under another identity. */
export function renamedRow(row: WholeRow, relation: RelationId): WholeRow {
  const rename = (column: ColumnReference) => ({ ...column, relation })
  return {
    ...row,
    relation,
    fields: row.fields.map((field) => ({
      ...field,
      value: mapExpression(field.value, {
        before: (part) =>
          part.kind === 'column' && part.relation === row.relation ? rename(part) : undefined,
      }),
    })),
  }
}

/** Which columns of a relation are used, and how often the relation is used at all. */
export interface Uses {
  readonly columns: ReadonlySet<number>
  readonly count: number
}

export function usesOf(relation: RelationId, query: Query): Uses {
  const columns = new Set<number>()
  let count = 0
  visitQuery(query, {
    expression: (expression) => {
      if (expression.kind === 'wholeRow' && expression.relation === relation) count += 1
      if (expression.kind !== 'column' || expression.relation !== relation) return
      columns.add(expression.column)
      count += 1
    },
  })
  return { columns, count }
}

/** How many nodes a query has. */
export function sizeOfQuery(query: Query): number {
  return counting((visitor) => visitQuery(query, visitor))
}

export function sizeOfExpression(expression: Expression): number {
  return counting((visitor) => visitExpression(expression, visitor))
}

function counting(visit: (visitor: Visitor) => void): number {
  let size = 0
  const count = () => {
    size += 1
  }
  visit({ expression: count, fromItem: count, query: count })
  return size
}
