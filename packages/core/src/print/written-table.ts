/** @module What a printer asks about the table that a statement writes. */
import type { Expression } from '../bind/expression.ts'
import { visitExpression } from '../bind/visit-query.ts'
import type { Table } from '../catalog/catalog.ts'

/** Does an expression look at a table in a subquery? A view may look at any. */
export function readsTable(expression: Expression, table: Table): boolean {
  let isFound = false
  visitExpression(expression, {
    fromItem: (item) => {
      if (item.kind !== 'securedTable') return
      if (item.table === table || item.table.kind === 'view') isFound = true
    },
  })
  return isFound
}

export function hasSubquery(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    query: () => {
      isFound = true
    },
  })
  return isFound
}

/**
 * Can deleting one row delete another of the same table, by foreign keys? Some databases do that at once, so that the other
 * is not counted and not returned; PostgreSQL does it after the statement.
 *
 * @param tables of the connection, by name
 */
export function refersToItself(table: Table, tables: ReadonlyMap<string, Table>): boolean {
  const reached = new Set<Table>()
  const waiting = [table]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const { name } = each
    for (const other of tables.values()) {
      if (!other.foreignKeys.some((foreign) => foreign.table === name)) continue
      if (other === table) return true
      if (!reached.has(other)) waiting.push(other)
      reached.add(other)
    }
  }
  return false
}
