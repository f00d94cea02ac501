import type { BoundStatement, RelationId } from '../bind/tree/bound-query.ts'
import { visitStatement } from '../bind/tree/visit-query.ts'

/** The columns that a statement uses, by relation. */
export function usedColumns(
  statement: BoundStatement,
): ReadonlyMap<RelationId, ReadonlySet<number>> {
  const used = new Map<RelationId, Set<number>>()
  visitStatement(statement, {
    expression: (expression) => {
      if (expression.kind !== 'column') return
      const columns = used.get(expression.relation) ?? new Set()
      used.set(expression.relation, columns.add(expression.column))
    },
  })
  return used
}
