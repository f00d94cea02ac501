/** @module SET of UPDATE and of ON CONFLICT DO UPDATE. */
import type { MultiAssignRef, Node, SelectStmt } from '@pgsql/types'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { columnsOfStar } from '../expressions/bind-row.ts'
import { bindInside } from '../scope/aggregate-level.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { selectOver } from '../scope/select-over.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { rowFields } from '../scope/syntax-node.ts'
import type { Assignment, DefaultCell } from '../tree/bound-query.ts'
import type { Expression, ScalarSubquery } from '../tree/expression.ts'
import { isVolatile } from '../tree/volatility.ts'
import { assignPart } from './assign-part.ts'
import { assigned, assignValue, requireAssignable } from './assign-value.ts'
import { requireDistinctCells } from './view-target.ts'
import { targetColumn } from './write-target.ts'

const update = { operation: 'update' } as const

export function bindAssignments(
  targets: readonly Node[] | undefined,
  table: Table,
  environment: ExpressionEnvironment,
  context: StatementContext,
): readonly Assignment[] {
  const assigned = new Set<number>()
  const inParts = new Set<number>()
  const assignments = (targets ?? []).map((node) => {
    if (!('ResTarget' in node)) throw unsupported('this assignment', undefined)
    const { ResTarget: target } = node
    const column = targetColumn(target, table, 'update', context)
    const { indirection } = target
    const isPart = indirection !== undefined
    if (assigned.has(column.ordinal) && !(isPart && inParts.has(column.ordinal))) {
      throw bindError(`multiple assignments to same column "${column.name}"`, {
        sqlState: '42601',
        position: target.location,
      })
    }
    assigned.add(column.ordinal)
    if (target.val === undefined) throw unsupported('this assignment', target.location)
    if (isPart) {
      inParts.add(column.ordinal)
      return assignPart({ ...target, indirection }, column, table, environment, context)
    }
    const value =
      'MultiAssignRef' in target.val
        ? valueOfRow(target.val.MultiAssignRef, column, target.location, environment, context)
        : assignValue(target.val, column, update, environment)
    return { column: column.ordinal, value }
  })
  requireDistinctCells(table, [...assigned], 'update')
  return assignments
}

/** `(a, b) = (1, 2)`, `(a, b) = row(1, 2)`, `(a, b) = (select x, y ...)`: the value for one of the columns. */
function valueOfRow(
  { source, colno = 1, ncolumns = 1 }: MultiAssignRef,
  column: Column,
  position: number | undefined,
  environment: ExpressionEnvironment,
  context: StatementContext,
): Expression | DefaultCell {
  const fields = rowFields(source)
  if (fields !== undefined) {
    const cells = fields.flatMap((node): readonly (Node | NamedExpression)[] => {
      return columnsOfStar(node, environment, bindExpression) ?? [node]
    })
    requireSameLength(cells.length, ncolumns, position)
    const cell = cells[colno - 1]
    if (cell === undefined) throw unsupported('this assignment', position)
    if (!('expression' in cell)) return assignValue(cell, column, update, environment)
    requireAssignable(column, update, position)
    return assigned(cell.expression, column, environment)
  }
  const select = source && 'SubLink' in source ? scalarSelect(source.SubLink.subselect) : undefined
  if (select === undefined || !(source && 'SubLink' in source)) {
    const message =
      'source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression'
    throw bindError(message, { sqlState: '0A000', position })
  }
  requireAssignable(column, update, position)
  const subquery = columnOfSelect(select, colno - 1, ncolumns, position, environment, context)
  return assigned(subquery, column, environment)
}

function scalarSelect(node: Node | undefined): SelectStmt | undefined {
  return node && 'SelectStmt' in node ? node.SelectStmt : undefined
}

/** Each column gets a subquery of its own: as long as the subquery contains nothing volatile, all copies return the same row. */
function columnOfSelect(
  select: SelectStmt,
  index: number,
  width: number,
  position: number | undefined,
  environment: ExpressionEnvironment,
  context: StatementContext,
): ScalarSubquery {
  const query = bindInside(environment, () =>
    context.bindSelect(select, environment.scope, { keepUnknown: false }),
  )
  requireSameLength(query.columns.length, width, position)
  const one = selectOver(query, context, (cells) => ({
    outputs: cells.slice(index, index + 1),
    columns: query.columns.slice(index, index + 1),
  }))
  const type = one.columns[0]?.type
  if (type === undefined) throw unsupported('this assignment', position)
  const subquery: ScalarSubquery = {
    kind: 'subquery',
    query: one,
    type,
    ...positioned(position),
  }
  if (isVolatile(subquery)) throw unsupported('a row from a volatile subquery', position)
  return subquery
}

function requireSameLength(values: number, columns: number, position: number | undefined): void {
  if (values === columns) return
  throw bindError('number of columns does not match number of values', {
    sqlState: '42601',
    position,
  })
}
