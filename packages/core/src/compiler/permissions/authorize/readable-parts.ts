import type { Assignment } from '../../bind/tree/bound-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Access } from '../access/access.ts'
import { columnDenial } from '../access/denial.ts'
import { readRules } from './read-rules.ts'

/**
 * The rest of a column that is written in part stays as it is: where the caller sees NULL instead of it, the result would depend
 * on what is hidden.
 */
export function requireReadableParts(
  assignments: readonly Assignment[],
  table: Table,
  access: Access,
): void {
  const parts = assignments.filter(({ part }) => part !== undefined)
  if (parts.length === 0) return
  const { readable, cells } = readRules(access, table)
  for (const { column } of parts) {
    if (readable.has(column) && !cells.has(column)) continue
    const name = table.columns[column]?.name ?? ''
    throw columnDenial({ access, name, table, operation: 'select' })
  }
}
