/** @module Rows that can be changed in place, with their new values computed by the same statement. */
import {
  changedTables,
  type Expression,
  readsOneOf,
  type SecuredTable,
  type UpdateWrite,
} from '@engine/core/adapter'
import type { PrintContext } from '../print-context.ts'
import { readsColumn } from './reads-column.ts'

/**
 * Not where the caller does not see all cells, where anything but the row is used in more than a look-up, and where a new value
 * could be computed from another new value.
 */
export function canUpdateInPlace(
  write: UpdateWrite,
  rows: SecuredTable,
  context: PrintContext,
): boolean {
  if (rows.masks.size > 0 || rows.barrier) return false
  if (write.from.length > 0 || write.ctes.length > 0) return false
  const values = write.assignments.flatMap(({ value }) => (value.kind === 'default' ? [] : [value]))
  const conditions = [rows.filter, ...rows.pushed, write.where]
  const all = [...values, ...conditions.filter((each) => each !== undefined)]
  const changed = changedTables(write, context.tables)
  if (all.some((each) => readsOneOf(each, changed))) return false
  return context.traits.assignsAtOnce || !values.some((each) => readsAssigned(each, write))
}

function readsAssigned(value: Expression, { assignments, target }: UpdateWrite): boolean {
  const assigned = new Set(assignments.map(({ column }) => column))
  return readsColumn(value, target.oldRow, (ordinal) => assigned.has(ordinal))
}
