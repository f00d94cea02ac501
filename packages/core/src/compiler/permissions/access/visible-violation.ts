/** @module The violated constraint, as far as it is visible to a caller. */

import type { GatewayError, ReportedFacts, Violation } from '../../../foundation/errors.ts'
import type { Table } from '../../catalog/catalog.ts'
import {
  isForeignKeyViolation,
  onlyPossibleForeignKey,
  type Written,
} from '../../catalog/possible-foreign-keys.ts'
import { type TableConstraint, tableConstraints } from '../../catalog/table-constraints.ts'
import type { Access } from './access.ts'
import { isKnown, knownColumns } from './grants.ts'

export type VisibleViolation = Pick<ReportedFacts, 'connection' | 'table' | 'column' | 'constraint'>

/**
 * Names of the table, the column and the constraint that an error of SQLSTATE class 23 is about: only those visible to the
 * caller; a constraint is visible if all of its columns are, on both sides of a foreign key.
 *
 * @returns undefined where the table is hidden or unknown.
 */
export function visibleViolation(
  error: Pick<GatewayError, 'violation' | 'sqlState'>,
  access: Access,
  written: Written | undefined,
): VisibleViolation | undefined {
  const violation = violationOf(error, access, written)
  if (violation === undefined) return undefined
  const table = tableOf(violation, access, written)
  if (table === undefined || !isKnown(access, table)) return undefined
  const { column } = violation
  return {
    connection: table.connection,
    table: table.name,
    column: column !== undefined && isColumnKnown(access, table, column) ? column : undefined,
    constraint: constraintOf(violation, table, access),
  }
}

function violationOf(
  { violation, sqlState }: Pick<GatewayError, 'violation' | 'sqlState'>,
  { connection }: Access,
  written: Written | undefined,
): Violation | undefined {
  if (sqlState?.startsWith('23') !== true) return undefined
  if (violation !== undefined || !isForeignKeyViolation(sqlState) || written === undefined) {
    return violation
  }
  return onlyPossibleForeignKey(connection, written)
}

function tableOf(
  { schema, table: name }: Violation,
  { connection }: Access,
  written: Written | undefined,
): Table | undefined {
  if (name === undefined) return written?.table
  return [...connection.tables.values()].find(
    ({ native }) => native.name === name && (schema === undefined || native.schema === schema),
  )
}

/** A constraint with an unknown name may be on any column. */
function constraintOf(
  { constraint, columns = [] }: Violation,
  table: Table,
  access: Access,
): string | undefined {
  const all = tableConstraints(table)
  const over = all.filter(
    ({ columns: own, references }) =>
      references === undefined && own.length > 0 && isSameList(own, columns),
  )
  const meant = over.length > 0 ? over : all.filter(({ name }) => name === constraint)
  const name = over[0]?.name ?? constraint
  if (name === undefined) return undefined
  const isColumn = (column: string) => isColumnKnown(access, table, column)
  const isVisible =
    meant.length > 0
      ? meant.every((each) => isConstraintKnown(access, table, each))
      : (columns.length > 0 ? columns : table.columns.map((each) => each.name)).every(isColumn)
  return isVisible ? name : undefined
}

function isConstraintKnown(
  access: Access,
  table: Table,
  { columns, references }: TableConstraint,
): boolean {
  if (!columns.every((name) => isColumnKnown(access, table, name))) return false
  if (references === undefined) return true
  const target = access.connection.tables.get(references.table)
  return (
    target !== undefined && references.columns.every((name) => isColumnKnown(access, target, name))
  )
}

function isColumnKnown(access: Access, table: Table, name: string): boolean {
  const column = table.columns.find((each) => each.name === name)
  const known = knownColumns(access, table)
  return column !== undefined && (known === 'all' || known.has(column.ordinal))
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i])
}
