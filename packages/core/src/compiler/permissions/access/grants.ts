/** @module The grants on a table on any rows: they decide what a caller may see of the catalog, not what it may do. */
import type { Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { Access } from './access.ts'

/** Does a permission grant the operation? */
export function isGranted(access: Access, table: Table, operation: Operation): boolean {
  return (
    access.isFull ||
    access.permissionsFor(table).some((permission) => permission[operation] !== undefined)
  )
}

/** Ordinals of the columns that any permission of the operation lists. `all` if that is every column. */
export function grantedColumns(
  access: Access,
  table: Table,
  operation: Exclude<Operation, 'delete'>,
): 'all' | ReadonlySet<number> {
  if (access.isFull) return 'all'
  const granted = access
    .permissionsFor(table)
    .reduce<ReadonlySet<number>>(
      (columns, permission) => columns.union(permission[operation]?.columns ?? new Set()),
      new Set(),
    )
  return granted.size === table.columns.length ? 'all' : granted
}

/** Is the table visible to the caller? */
export function isKnown(access: Access, table: Table): boolean {
  return operations.some((operation) => isGranted(access, table, operation))
}

/** Ordinals of the columns that the caller may read or write, in any row. */
export function knownColumns(access: Access, table: Table): 'all' | ReadonlySet<number> {
  let known: ReadonlySet<number> = new Set()
  for (const operation of ['select', 'insert', 'update'] as const) {
    const granted = grantedColumns(access, table, operation)
    if (granted === 'all') return 'all'
    known = known.union(granted)
  }
  return known
}

const operations: readonly Operation[] = ['select', 'insert', 'update', 'delete']
