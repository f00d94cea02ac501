/** @module The table that INSERT, UPDATE and DELETE write, and its columns as targets. */
import type { RangeVar, ResTarget } from '@pgsql/types'
import type { GatewayError } from '../../../foundation/errors.ts'
import type { Column, Table } from '../../catalog/catalog.ts'
import { unsupported } from '../../sql/bind-error.ts'
import { tableSource } from '../from/bind-from.ts'
import { columnNames } from '../scope/column-names.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { WriteTarget } from '../tree/bound-query.ts'
import { requireNoRule } from './ruled-table.ts'
import { requireWritableColumn, requireWritableView } from './view-target.ts'

export interface BoundTarget {
  readonly target: WriteTarget
  /** The range-table entry of the row before the write. */
  readonly oldSource: RangeTableEntry
  /** The range-table entry of the row after the write. */
  readonly newSource: RangeTableEntry
}

export function bindTarget(
  relation: RangeVar | undefined,
  operation: 'insert' | 'update' | 'delete',
  context: StatementContext,
): BoundTarget {
  if (relation === undefined) throw unsupported('a write without a table', undefined)
  const table = context.tableNamed(relation)
  context.view.requireGrant?.(table, operation)
  if (table.kind === 'view') requireWritableView(table, operation, relation.location)
  requireNoRule(table, [operation], relation.location)
  const target = { table, oldRow: context.nextId(), newRow: context.nextId() }
  return {
    target,
    oldSource: tableSource(relation, table, target.oldRow, context),
    newSource: tableSource(relation, table, target.newRow, context),
  }
}

/**
 * The column that a write names. It need not be readable. A column that the caller may not write gives the same error as one that
 * does not exist, before any other check could reveal something about it.
 */
export function targetColumn(
  { name = '', location }: ResTarget,
  table: Table,
  operation: 'insert' | 'update',
  context: StatementContext,
): Column {
  const { view } = context
  const column = table.columns.find((candidate) => candidate.name === name)
  const writable = view.writable?.(table, operation) ?? 'all'
  if (column === undefined || (writable !== 'all' && !writable.has(column.ordinal))) {
    const known = columnNames(table, writable)
    throw view.unknownColumn({ name, table, position: location, operation, known })
  }
  requireWritableColumn(table, column, operation, location)
  return column
}

export function partAsTarget(position: number | undefined): GatewayError {
  return unsupported('a field or subscript of a column as target', position)
}
