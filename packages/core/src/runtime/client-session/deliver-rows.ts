/** @module Passes on a result that arrived all at once row by row. */
import type { Cells, ResultSet, RowReceiver } from '../adapter/adapter.ts'

/** @param result in the row shape `cells`; empty where the adapter has already passed on the rows. */
export async function deliverRows({ rows }: ResultSet, receiver: RowReceiver): Promise<void> {
  for (const cells of cellsOf(rows)) {
    receiver.row(cells)
    const wait = receiver.hold()
    if (wait !== undefined) await wait
  }
}

/** The rows of a `ResultSet` of shape `cells`. */
export function cellsOf(rows: ResultSet['rows']): readonly Cells[] {
  if (rows.length === 0) return []
  const text = typeof rows === 'string' ? rows : new TextDecoder().decode(rows)
  return JSON.parse(`[${text}]`) as readonly Cells[]
}
