import type { CatalogView } from '../bind/context.ts'
import type { Connection, Table } from '../catalog/catalog.ts'
import { GatewayError } from '../errors.ts'
import type { Operation } from '../plan/plan.ts'
import type { Access } from './access.ts'
import { columnDenial, ungranted } from './denial.ts'
import { grantedColumns, isGranted } from './grants.ts'

/**
 * What the names in a statement may mean for one role set. It decides what exists, not what is allowed: `authorize`
 * does that, on every table and column that was named.
 */
export function catalogView(access: Access): CatalogView {
  const readable = new Map<Table, 'all' | ReadonlySet<number>>()
  return {
    table: (name, position) => tableNamed(access.connection, name, position),
    readable: (table) => {
      const known = readable.get(table) ?? grantedColumns(access, table, 'select')
      readable.set(table, known)
      return known
    },
    requireGrant: (table, operation) => requireGrant(access, table, operation),
    writable: (table, operation) => writableColumns(access, table, operation),
    unknownColumn: (name, table, position, operation) =>
      unknownColumn(access, name, table, position, operation),
  }
}

function tableNamed(connection: Connection, name: string, position: number | undefined): Table {
  const table = connection.tables.get(name)
  if (table !== undefined) return table
  const at = position === undefined ? {} : { position }
  throw new GatewayError('tableNotFound', `Table "${connection.name}"."${name}" does not exist.`, {
    sqlState: '42P01',
    ...at,
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

function unknownColumn(
  access: Access,
  name: string,
  table: Table | undefined,
  position: number | undefined,
  operation: Operation = 'select',
): GatewayError {
  if (!access.isFull) return columnDenial({ access, name, table, operation })
  const of = table === undefined ? '' : ` of "${table.connection}"."${table.name}"`
  const at = position === undefined ? {} : { position }
  return new GatewayError('unknownColumn', `Column "${name}"${of} does not exist.`, {
    sqlState: '42703',
    ...at,
  })
}
