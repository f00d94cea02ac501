/** @module Rows that can be changed in place, with their new values computed by the same statement. */
import {
  type Assignment,
  changedTables,
  readsOneOf,
  type SecuredTable,
  type UpdateWrite,
} from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { isOrderFree, orderAssignments } from './assignment-order.ts'

/**
 * The assignments in the order in which the statement has them. Undefined where rows cannot be changed in place: where the caller
 * does not see all cells, where anything but the row is used in more than a look-up, and where a new value would be computed from
 * another new value.
 *
 * @param isAlone the UPDATE has no other table: with one, the order of assignments is not defined.
 */
export function assignmentsInPlace(
  write: UpdateWrite,
  rows: SecuredTable,
  isAlone: boolean,
  context: PrintContext,
): readonly Assignment[] | undefined {
  const { assignments, target } = write
  if (rows.masks.size > 0 || rows.barrier) return undefined
  if (write.from.length > 0 || write.ctes.length > 0) return undefined
  const values = assignments.flatMap(({ value }) => (value.kind === 'default' ? [] : [value]))
  const conditions = [rows.filter, ...rows.pushed, write.where]
  const all = [...values, ...conditions.filter((each) => each !== undefined)]
  const changed = changedTables(write, context.tables)
  if (all.some((each) => readsOneOf(each, changed))) return undefined
  if (context.traits.assignsAtOnce) return assignments
  if (isAlone) return orderAssignments(assignments, target.oldRow, target.table)
  return isOrderFree(assignments, target.oldRow, target.table) ? assignments : undefined
}
