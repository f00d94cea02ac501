/** @module `UPDATE … WHERE CURRENT OF c`, `DELETE … WHERE CURRENT OF c`. */
import type { Node } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { placeColumns, placeTypes } from '../../catalog/table-oid.ts'
import { unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { boolType } from '../coercion/null-test.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { WriteTarget } from '../tree/bound-query.ts'
import { currentRow } from '../tree/current-row.ts'
import type { Expression } from '../tree/expression.ts'

/**
 * WHERE of an UPDATE or DELETE.
 *
 * @throws {GatewayError} `unsupported` for CURRENT OF where rows have no place that is known: in a view, and in other databases
 *   than PostgreSQL.
 */
export function bindWriteCondition(
  where: Node | undefined,
  target: WriteTarget,
  scope: Scope,
  context: StatementContext,
): Expression | undefined {
  if (where === undefined) return undefined
  if (!('CurrentOfExpr' in where)) {
    return bindBoolean(where, clauseEnvironment(context, scope, 'WHERE'))
  }
  return isCurrentRow(where.CurrentOfExpr.cursor_name ?? '', target, context)
}

/** `where current of c` becomes `engine_current_row(t.tableoid, t.ctid, $2, $1)` */
function isCurrentRow(
  cursor: string,
  { table, oldRow }: WriteTarget,
  { cursors, tableOids }: StatementContext,
): Expression {
  requirePlaces(table)
  const index = cursors.add(cursor, table)
  tableOids?.set(oldRow, table)
  const place = placeColumns(table)
  return {
    kind: 'call',
    function: currentRow,
    args: [
      { kind: 'column', relation: oldRow, column: place.tableOid, type: placeTypes.tableOid },
      { kind: 'column', relation: oldRow, column: place.ctid, type: placeTypes.ctid },
      { kind: 'parameter', index: index + 1, type: placeTypes.tableOid },
      { kind: 'parameter', index, type: { oid: oids.text, typmod: -1 } },
    ],
    type: boolType,
  }
}

function requirePlaces(table: Table): void {
  if (table.kind !== 'table') throw unsupported('WHERE CURRENT OF on a view', undefined)
  if (table.oid === undefined) throw unsupported('WHERE CURRENT OF on this database', undefined)
}
