/**
 * @module The order of SET on a server that assigns from left to right: an assignment stands before those of the columns that its
 * value reads. `set a = b, b = 1` has one, `set a = b, b = a` has none.
 */

import type { Table } from '@engine/core/catalog'
import type { Assignment, RelationId } from '@engine/core/tree'
import { readsColumn } from './reads-column.ts'

/** @returns undefined where each order computes a value from a new one. */
export function orderAssignments(
  assignments: readonly Assignment[],
  row: RelationId,
  table: Table,
): readonly Assignment[] | undefined {
  const ordered: Assignment[] = []
  const waiting = [...assignments]
  while (waiting.length > 0) {
    const index = waiting.findIndex((each) =>
      waiting.every((other) => other === each || !reads(other, each, row, table)),
    )
    if (index < 0) return undefined
    ordered.push(...waiting.splice(index, 1))
  }
  return ordered
}

/** Does no value read a column that another assignment changes? Then any order will do. */
export function isOrderFree(
  assignments: readonly Assignment[],
  row: RelationId,
  table: Table,
): boolean {
  return assignments.every((each) =>
    assignments.every((other) => other === each || !reads(other, each, row, table)),
  )
}

/** Does the value of one assignment read the column of another, or one that is computed from it? */
function reads(
  { value }: Assignment,
  { column }: Assignment,
  row: RelationId,
  { columns }: Table,
): boolean {
  if (value.kind === 'default') return false
  return readsColumn(
    value,
    row,
    (ordinal) => ordinal === column || columns[ordinal]?.generated === 'always',
  )
}
