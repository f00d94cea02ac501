/** @module Statements that name `tableoid`: their tables get it as a column, and names of tables are kept to where they are shown. */
import type { Table } from '../catalog/catalog.ts'
import { withTableOid } from '../catalog/table-oid.ts'
import { unsupported } from '../sql/bind-error.ts'
import type { BoundStatement, Query, RelationId } from './tree/bound-query.ts'
import type { Expression } from './tree/expression.ts'
import { partsOf } from './tree/expression-parts.ts'
import { mapStatement } from './tree/map-query.ts'
import { isTableName } from './tree/table-name.ts'
import { visitStatement } from './tree/visit-query.ts'

/**
 * @param named the relations whose `tableoid` the statement names.
 * @throws {GatewayError} `unsupported` where a name of a table (regclass) is anything but a result column.
 */
export function addTableOids(
  named: ReadonlyMap<RelationId, Table>,
  statement: BoundStatement,
): BoundStatement {
  if (named.size === 0) return statement
  requireShown(statement)
  return mapStatement(statement, {
    fromItem: (item) =>
      item.kind === 'table' && named.has(item.id)
        ? { ...item, table: withTableOid(item.table) }
        : item,
    write: (write) => {
      const { target } = write
      const isNamed = named.has(target.oldRow) || named.has(target.newRow)
      const table = isNamed ? withTableOid(target.table) : target.table
      return { ...write, target: { ...target, table } }
    },
  })
}

/** PostgreSQL compares and sorts regclass by its number. Elsewhere the text would take part in a comparison instead. */
function requireShown(statement: BoundStatement): void {
  const refuse = (expressions: readonly Expression[]): void => {
    const name = expressions.find(isTableName)
    if (name === undefined) return
    throw unsupported('regclass here (use tableoid, or the text of the name)', name.position)
  }
  visitStatement(statement, {
    expression: (expression) => refuse(partsOf(expression).expressions),
    query: (query: Query) => {
      if (query === statement.body && query.kind === 'select') return
      if (query.kind === 'select') refuse(query.outputs)
      if (query.kind === 'values') refuse(query.rows.flat())
    },
  })
}
