import { closestName } from '../../../foundation/closest-name.ts'
import { GatewayError } from '../../../foundation/errors.ts'
import type { CatalogView, MissingColumn } from '../../bind/scope/context.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import { findTable } from '../../catalog/partitions.ts'
import { addressOfKey } from '../../catalog/shared-database.ts'
import { quotedName } from '../../sql/bind-error.ts'
import type { Access } from './access.ts'
import { columnDenial, ungranted } from './denial.ts'
import { seesEveryTable } from './fully-readable.ts'
import { grantedColumns, isGranted } from './grants.ts'
import { numberedColumns } from './numbered-columns.ts'
import { visibleTypes } from './visible-types.ts'

/**
 * The names that one role set may use in a statement. It decides what exists, not what is allowed: `authorize` decides that, for
 * every named table and column.
 *
 * @param isWhole the caller may read every column of every table of the statement, see `readsEveryColumn`: then the error for an
 *   unknown column can reveal nothing.
 */
export function catalogView(access: Access, isWhole: boolean = access.isFull): CatalogView {
  const readable = new Map<Table, 'all' | ReadonlySet<number>>()
  return {
    types: visibleTypes(access),
    table: (name, position) => tableNamed(access, name, position),
    readable: (table) => {
      const known = readable.get(table) ?? grantedColumns(access, table, 'select')
      readable.set(table, known)
      return known
    },
    requireGrant: (table, operation) => requireGrant(access, table, operation),
    writable: (table, operation) => writableColumns(access, table, operation),
    isUnrestricted: access.isFull,
    numbered: (table) => numberedColumns(access, table),
    unknownColumn: (missing) => (isWhole ? unknownColumn(missing) : hiddenColumn(access, missing)),
  }
}

/** Suggests another table only to callers from whom no table of the connection is hidden. */
function tableNamed(access: Access, name: string, position: number | undefined): Table {
  const { connection } = access
  const table = findTable(connection, name)
  if (table !== undefined) return table
  const closest = seesEveryTable(access) ? closestName(name, connection.tables.keys()) : undefined
  const meant = closest === undefined ? undefined : addressOfKey(connection, closest)
  const spelled = meant && `${quotedName(meant.connection)}.${quotedName(meant.table)}`
  const address = addressOfKey(connection, name)
  const what = `Table "${address.connection}"."${address.table}" does not exist`
  throw new GatewayError('tableNotFound', sentence(what, spelled), {
    sqlState: '42P01',
    ...(spelled === undefined
      ? {}
      : { details: { hint: `Perhaps you meant the table ${spelled}.` } }),
    ...(position === undefined ? {} : { position }),
  })
}

/** An operation that no permission grants is refused before any other error about the table. */
function requireGrant(access: Access, table: Table, operation: Operation): void {
  if (!isGranted(access, table, operation)) throw ungranted(access, table, operation)
}

/** The columns that a write may name without revealing others: those of any permission, and the readable ones. */
function writableColumns(
  access: Access,
  table: Table,
  operation: 'insert' | 'update',
): 'all' | ReadonlySet<number> {
  const readable = grantedColumns(access, table, 'select')
  const writable = grantedColumns(access, table, operation)
  return readable === 'all' || writable === 'all' ? 'all' : readable.union(writable)
}

function hiddenColumn(
  access: Access,
  { name, table, operation = 'select' }: MissingColumn,
): GatewayError {
  return columnDenial({ access, name, table, operation })
}

function unknownColumn({ name, table, position, known }: MissingColumn): GatewayError {
  const of = table === undefined ? '' : ` of "${table.connection}"."${table.name}"`
  const meant = closestName(name, known)
  const hint = meant && hintOf(name, meant)
  return new GatewayError(
    'unknownColumn',
    sentence(`Column "${name}"${of} does not exist`, meant && quotedName(meant)),
    {
      sqlState: '42703',
      ...(hint === undefined ? {} : { details: { hint } }),
      ...(position === undefined ? {} : { position }),
    },
  )
}

function hintOf(name: string, meant: string): string {
  const hint = `Perhaps you meant the column ${quotedName(meant)}.`
  const isSameLetters = meant.toLowerCase() === name.toLowerCase()
  return isSameLetters ? `Names without double quotes are read in lower case. ${hint}` : hint
}

/** `spelled` is its name in SQL. */
function sentence(what: string, spelled: string | undefined): string {
  return spelled === undefined ? `${what}.` : `${what}; did you mean ${spelled}?`
}
