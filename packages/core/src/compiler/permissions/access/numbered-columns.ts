import type { Table } from '../../catalog/catalog.ts'
import type { Access } from './access.ts'
import { grantedColumns } from './grants.ts'

/**
 * Ordinals of the columns whose sequences the caller may advance: those that it may insert, and read, since a number of a sequence tells
 * how many rows there are.
 */
export function numberedColumns(access: Access, table: Table): 'all' | ReadonlySet<number> {
  const readable = grantedColumns(access, table, 'select')
  const insertable = insertableColumns(access, table)
  if (readable === 'all') return insertable
  return insertable === 'all' ? readable : insertable.intersection(readable)
}

/** Without the columns that a permission presets: the caller never chooses their values. */
function insertableColumns(access: Access, table: Table): 'all' | ReadonlySet<number> {
  if (access.isFull) return 'all'
  return access
    .permissionsFor(table)
    .reduce<ReadonlySet<number>>(
      (columns, { insert }) =>
        insert === undefined
          ? columns
          : columns.union(insert.columns.difference(new Set(insert.presets.keys()))),
      new Set(),
    )
}
