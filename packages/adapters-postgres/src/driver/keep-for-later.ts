import type { Cells, Execution, RowReceiver } from '@engine/core/adapter'

/** An execution whose rows are kept until all of them are there. */
export interface KeptRows {
  readonly execution: Execution
  /** Hands them to the receiver of the original one, in its own time. */
  handOn(): Promise<void>
}

/** For a connection that others use too: whoever reads slowly must not keep them waiting. */
export function keepForLater(execution: Execution): KeptRows {
  const { receiver } = execution
  if (receiver === undefined) return { execution, handOn: async () => undefined }
  const rows: Cells[] = []
  const keeping: RowReceiver = {
    row: (cells) => void rows.push(cells),
    hold: () => undefined,
  }
  return {
    execution: { ...execution, receiver: keeping },
    handOn: async () => {
      for (const cells of rows) {
        receiver.row(cells)
        const wait = receiver.hold()
        if (wait !== undefined) await wait
      }
    },
  }
}
