/** @module Passes on a result that arrived all at once row by row. */
import type { ResultSet, RowReceiver } from '../adapter/adapter.ts'
import { cellRows } from './cell-rows.ts'

/** How many rows are parsed at once. */
const rowsAtOnce = 500

/** @param result in the row shape `cells`; empty where the adapter has already passed on the rows. */
export async function deliverRows({ rows }: ResultSet, receiver: RowReceiver): Promise<void> {
  if (rows.length === 0) return
  const all = cellRows(rows)
  for (;;) {
    const some = all.next(rowsAtOnce)
    for (const cells of some) {
      receiver.row(cells)
      const wait = receiver.hold()
      if (wait !== undefined) await wait
    }
    if (some.length < rowsAtOnce) return
  }
}
