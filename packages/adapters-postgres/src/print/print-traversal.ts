/** @module SEARCH and CYCLE: `search depth first by c1 set c4 cycle c1, c2 set c5 using c6`. */
import { clauses, columnName, commaList, keyword, type Sql, sql } from '@engine/core/print'
import { type Traversal, unsupportedConstruct } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/** The number of columns that the clauses add. */
export function addedColumns(traversal: Traversal | undefined): number {
  if (traversal === undefined) return 0
  return (traversal.order === undefined ? 0 : 1) + (traversal.marks === undefined ? 0 : 2)
}

/** @param first index of the first added column. */
export function printTraversal(
  { order, marks }: Traversal,
  first: number,
  { serverVersion }: PrintContext,
): Sql {
  if (serverVersion !== undefined && serverVersion < 140_000) {
    throw unsupportedConstruct('SEARCH or CYCLE', 'PostgreSQL before 14', undefined)
  }
  const mark = first + (order === undefined ? 0 : 1)
  return clauses(
    order &&
      sql`search ${keyword(order.kind)} first by ${names(order.by)} set ${columnName(first)}`,
    marks && sql`cycle ${names(marks.by)} set ${columnName(mark)} using ${columnName(mark + 1)}`,
  )
}

function names(columns: readonly number[]): Sql {
  return commaList(columns.map((column) => columnName(column)))
}
