/**
 * @module Columns of FROM in the RETURNING of an UPDATE, for databases that compute RETURNING after the statement: the values of
 * these columns are kept separately.
 */
import type { FromItem, RelationId } from '../bind/tree/bound-query.ts'
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { mapExpression } from '../bind/tree/map-query.ts'
import { visitExpression } from '../bind/tree/visit-query.ts'

/** A column of another table in RETURNING. */
export interface ForeignColumn {
  readonly reference: ColumnReference
  /** Represents the kept value in RETURNING. */
  readonly relation: RelationId
}

/** References of RETURNING to the tables of FROM. */
export function foreignColumns(
  outputs: readonly Expression[],
  from: readonly FromItem[],
): readonly ColumnReference[] {
  const own = new Set(from.flatMap(idsOf))
  const found = new Map<string, ColumnReference>()
  for (const output of outputs) {
    visitExpression(output, {
      expression: (each) => {
        if (each.kind === 'column' && own.has(each.relation)) {
          found.set(`${each.relation}.${each.column}`, each)
        }
      },
    })
  }
  return [...found.values()]
}

function idsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...idsOf(item.left), ...idsOf(item.right)] : [item.id]
}

/** RETURNING with the kept values in place of the columns. */
export function withKept(output: Expression, foreign: readonly ForeignColumn[]): Expression {
  return mapExpression(output, {
    expression: (each) => {
      if (each.kind !== 'column') return each
      const kept = foreign.find(
        ({ reference }) => reference.relation === each.relation && reference.column === each.column,
      )
      return kept === undefined ? each : { ...each, relation: kept.relation, column: 0 }
    },
  })
}
