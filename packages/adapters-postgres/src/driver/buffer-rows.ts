import type { Cells, Execution, RowReceiver } from '@engine/core/adapter'

/** An execution whose rows are kept until all of them are there. */
export interface BufferedRows {
  readonly execution: Execution
  /** Hands them to the receiver of the original one, in its own time. */
  deliver(): Promise<void>
}

/** For a connection that others use too: whoever reads slowly must not keep them waiting. */
export function bufferRows(execution: Execution): BufferedRows {
  const { receiver } = execution
  if (receiver === undefined) return { execution, deliver: async () => undefined }
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
