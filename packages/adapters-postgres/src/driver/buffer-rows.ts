import type { Cells, Execution, RowReceiver } from '@engine/core/adapter'

/** An execution whose rows are buffered until all of them have arrived. */
export interface BufferedRows {
  readonly execution: Execution
  /** Passes the rows to the receiver of the original execution, at its speed. @returns undefined where there is none. */
  deliver(): Promise<void> | undefined
}

/** Buffers all rows of an execution: on a shared connection a slow reader must not block the other statements. */
export function bufferRows(execution: Execution): BufferedRows {
  const { receiver } = execution
  if (receiver === undefined) return { execution, deliver: () => undefined }
  const rows: Cells[] = []
  const buffering: RowReceiver = {
    row: (cells) => void rows.push(cells),
    hold: () => undefined,
  }
  return {
    execution: { ...execution, receiver: buffering },
    deliver: async () => {
      for (const cells of rows) {
        receiver.row(cells)
        const wait = receiver.hold()
        if (wait !== undefined) await wait
      }
    },
  }
}
