/** @module What a tree says of a relation, and putting something else in its place. */

import type { Query, RelationId } from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression, WholeRow } from '../bind/tree/expression.ts'
import { mapExpression, type Rewriter } from '../bind/tree/map-query.ts'
import { visitQuery } from '../bind/tree/visit-query.ts'

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

/** What is used of a relation. */
export interface Uses {
  readonly columns: ReadonlySet<number>
  /** As a whole row somewhere. */
  readonly asRow: boolean
  /** How often it is used at all. */
  readonly count: number
}

export function usesOf(relation: RelationId, query: Query): Uses {
  const columns = new Set<number>()
  let count = 0
  let asRow = false
  visitQuery(query, {
    expression: (expression) => {
      if (expression.kind === 'wholeRow' && expression.relation === relation) asRow = true
      if (expression.kind !== 'column' || expression.relation !== relation) return
      columns.add(expression.column)
      count += 1
    },
  })
  return { columns, count, asRow }
}

/** How many nodes a query has. */
export function sizeOfQuery(query: Query): number {
  let size = 0
  const count = () => {
    size += 1
  }
  visitQuery(query, { expression: count, fromItem: count, query: count })
  return size
}
