/** @module Views as targets of writes. Every table of a database with such views says how it writes them. */

import type { OnConflictClause } from '@pgsql/types'
import type { GatewayError } from '../../../foundation/errors.ts'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'

type Operation = 'insert' | 'update' | 'delete'

const verbs = { insert: 'insert into', update: 'update', delete: 'delete from' } as const

/**
 * @throws {GatewayError} `badRequest` (55000) for a view that the database cannot write, `unsupported` where it writes by a rule, and
 *   where the adapter does not write views.
 */
export function requireWritableView(
  { name, viewWrites }: Table,
  operation: Operation,
  position: number | undefined,
): void {
  if (viewWrites === undefined) throw unsupported(`writing to the view "${name}"`, position)
  switch (viewWrites[operation]) {
    case 'table':
    case 'trigger':
      return
    case 'rule':
      throw unsupported(`writing to the view "${name}" by its rules`, position)
    case 'none':
      throw bindError(`cannot ${verbs[operation]} view "${name}"`, { sqlState: '55000', position })
  }
}

/** @throws {GatewayError} `badRequest` (0A000) for a column of a view that is an expression. */
export function requireWritableColumn(
  table: Table,
  column: Column,
  operation: 'insert' | 'update',
  position: number | undefined,
): void {
  const { viewWrites } = table
  if (viewWrites?.[operation] !== 'table' || viewWrites.columns.has(column.ordinal)) return
  throw computedColumn(table, column, operation, position)
}

function computedColumn(
  table: Table,
  column: Column,
  operation: 'insert' | 'update',
  position: number | undefined,
): GatewayError {
  const verb = operation === 'insert' ? 'insert into' : 'update'
  const message = `cannot ${verb} column "${column.name}" of view "${table.name}"`
  return bindError(message, { sqlState: '0A000', position })
}

/** @throws {GatewayError} `badRequest` (42601) for two columns of a view that show the same column of its table. */
export function requireDistinctCells(
  { viewWrites }: Table,
  columns: readonly number[],
  operation: 'insert' | 'update',
): void {
  if (viewWrites?.[operation] !== 'table') return
  const cells = columns.map((column) => viewWrites.columns.get(column))
  const repeated = cells.find((cell, i) => cell !== undefined && cells.indexOf(cell) < i)
  if (repeated === undefined) return
  throw bindError(`multiple assignments to same column "${repeated}"`, {
    sqlState: '42601',
    position: undefined,
  })
}

/**
 * PostgreSQL updates a conflicting row of the table even where the view does not show it, and a trigger does not learn of the
 * clause.
 *
 * @throws {GatewayError} `unsupported` for triggers, and for DO UPDATE of a view that may hide rows of its table.
 */
export function requireConflictOnView(
  { name, viewWrites }: Table,
  { action, location }: OnConflictClause,
): void {
  if (viewWrites === undefined) return
  if (viewWrites.insert !== 'table') {
    throw unsupported(`ON CONFLICT for the trigger of the view "${name}"`, location)
  }
  if (action !== 'ONCONFLICT_UPDATE') return
  if (viewWrites.update !== 'table') {
    throw unsupported(`ON CONFLICT DO UPDATE by triggers or rules of the view "${name}"`, location)
  }
  if (viewWrites.showsEveryRow) return
  throw unsupported(
    `ON CONFLICT DO UPDATE of the view "${name}", which may hide rows of its table,`,
    location,
  )
}
