import { closestName } from '../../../foundation/closest-name.ts'
import { GatewayError } from '../../../foundation/errors.ts'
import type { CatalogView, MissingColumn } from '../../bind/scope/context.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import { quotedName } from '../../sql/bind-error.ts'
import type { Access } from './access.ts'
import { columnDenial, ungranted } from './denial.ts'
import { seesEveryTable } from './fully-readable.ts'
import { grantedColumns, isGranted } from './grants.ts'
import { visibleTypes } from './visible-types.ts'

/**
 * What the names in a statement may mean for one role set. It decides what exists, not what is allowed: `authorize`
 * does that, on every table and column that was named.
 *
 * @param isWhole no table of the statement has a column that the caller may not read, see `readsEveryColumn`: then there
 *   is nothing that the answer to an unknown column could tell.
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
    unknownColumn: (missing) => (isWhole ? unknownColumn(missing) : hiddenColumn(access, missing)),
  }
}

/** Suggests another table only to callers from whom no table of the connection is hidden. */
function tableNamed(access: Access, name: string, position: number | undefined): Table {
  const { connection } = access
  const table = connection.tables.get(name)
  if (table !== undefined) return table
  const meant = seesEveryTable(access) ? closestName(name, connection.tables.keys()) : undefined
  const spelled = meant && `${quotedName(connection.name)}.${quotedName(meant)}`
  const what = `Table "${connection.name}"."${name}" does not exist`
  throw new GatewayError('tableNotFound', sentence(what, spelled), {
    sqlState: '42P01',
    ...(spelled === undefined
      ? {}
      : { details: { hint: `Perhaps you meant the table ${spelled}.` } }),
    ...(position === undefined ? {} : { position }),
  })
}

/** What no permission grants is refused before anything else is said of it. */
function requireGrant(access: Access, table: Table, operation: Operation): void {
  if (!isGranted(access, table, operation)) throw ungranted(access, table, operation)
}

/** The columns that a write may name without learning of others: those it could be granted, and readable ones. */
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

/** `spelled` is how SQL names it. */
function sentence(what: string, spelled: string | undefined): string {
  return spelled === undefined ? `${what}.` : `${what}; did you mean ${spelled}?`
}
