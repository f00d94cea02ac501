/** @module Values that a write assigns to columns. */
import type { Node, RowExpr } from '@pgsql/types'
import type { Column } from '../../catalog/catalog.ts'
import { bindError } from '../../sql/bind-error.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { fieldsOfType, requireRowValues } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindRow, bindRowAs } from '../expressions/bind-row.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { DefaultCell, InsertWrite } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

/** The write that assigns the value. */
export type Assigning =
  | { readonly operation: 'insert'; readonly overriding: InsertWrite['overriding'] }
  | { readonly operation: 'update' }

const defaultCell: DefaultCell = { kind: 'default' }

/** The value that a write assigns to a column: `DEFAULT`, or an expression converted to the column's type. */
export function assignValue(
  node: Node,
  column: Column,
  assigning: Assigning,
  environment: ExpressionEnvironment,
): Expression | DefaultCell {
  if ('SetToDefault' in node) return defaultCell
  requireAssignable(column, assigning, positionOf(node))
  if ('RowExpr' in node) return assignRow(node.RowExpr, column, environment)
  return assigned(bindExpression(node, environment), column, environment)
}

/** As a value, a row fits composite types and text: any other column has the wrong type for it. */
function assignRow(row: RowExpr, column: Column, environment: ExpressionEnvironment): Expression {
  if (fieldsOfType(column.type, environment.context.types) === undefined) {
    const value = assigned(bindRow(row, environment, bindExpression), column, environment)
    requireRowValues(environment, 'a row constructor', row.location)
    return value
  }
  requireRowValues(environment, 'a row constructor', row.location)
  return bindRowAs(row, column.type, 'assignment', environment, bindExpression)
}

/** An expression as a value of the column. */
export function assigned(
  value: Expression,
  column: Column,
  environment: ExpressionEnvironment,
): Expression {
  return coerceTo(value, column.type, 'assignment', environment, `column "${column.name}"`)
}

/** Refuses any value but DEFAULT for a column that the database computes. */
export function requireAssignable(
  column: Column,
  assigning: Assigning,
  position: number | undefined,
): void {
  const isOverridden =
    column.generated === 'identity' &&
    assigning.operation === 'insert' &&
    assigning.overriding !== undefined
  if (column.generated === 'no' || isOverridden) return
  const message =
    assigning.operation === 'insert'
      ? `cannot insert a non-DEFAULT value into column "${column.name}"`
      : `column "${column.name}" can only be updated to DEFAULT`
  throw bindError(message, { sqlState: '428C9', position })
}
