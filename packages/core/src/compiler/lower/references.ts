/** @module Finds the uses of a relation in a tree, and replaces them. */

import type { Query, RelationId } from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression, WholeRow } from '../bind/tree/expression.ts'
import { mapExpression, type Rewriter } from '../bind/tree/map-query.ts'
import { visitQuery } from '../bind/tree/visit-query.ts'

/** The replacement for the columns and for the whole row of a relation. */
export interface Replacement {
  column(column: ColumnReference): Expression
  wholeRow(row: WholeRow): Expression
}

/** Replaces every use of the relation, also in subqueries; nothing else changes. */
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

/** The uses of a relation. */
export interface Uses {
  readonly columns: ReadonlySet<number>
  /** Is it used as a whole row? */
  readonly asRow: boolean
  /** The number of uses. */
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

/** The number of nodes of a query. */
export function sizeOfQuery(query: Query): number {
  let size = 0
  const count = () => {
    size += 1
  }
  visitQuery(query, { expression: count, fromItem: count, query: count })
  return size
}
