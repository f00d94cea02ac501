/** @module Rows of one query in pieces. */
import type { Row } from './result-shape.ts'

export interface RowSource {
  /** The next rows, at most `count`; fewer only at the end. */
  fetch(count: number): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Rows that are in memory. Each is released when it is fetched. */
export function bufferedRows(rows: readonly Row[]): RowSource {
  let left = rows
  return {
    fetch: async (count) => {
      const fetched = left.slice(0, count)
      left = left.slice(fetched.length)
      return fetched
    },
    close: async () => {
      left = []
    },
  }
}
