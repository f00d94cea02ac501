import type { BoundStatement, RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { Table } from '../../catalog/catalog.ts'

/** Returns a predicate: is an expression a cell of a base table that may hold a value outside of its type? */
export function createUnreadable(statement: BoundStatement): (part: Expression) => boolean {
  const tables = new Map<RelationId, Table>()
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'table' || item.kind === 'securedTable') tables.set(item.id, item.table)
    },
    write: ({ target }) => {
      tables.set(target.oldRow, target.table)
    },
  })
  return (part) =>
    part.kind === 'column' &&
    tables.get(part.relation)?.columns[part.column]?.mayBeUnreadable === true
}
