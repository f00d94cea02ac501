import type { Cells, Execution, RowReceiver } from '@engine/core/adapter'

/** An execution whose rows are buffered until all of them have arrived. */
export interface BufferedRows {
  readonly execution: Execution
  /** Passes the rows to the receiver of the original execution, at its speed. @returns undefined where none waits. */
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
    deliver: () => {
      for (const [i, cells] of rows.entries()) {
        receiver.row(cells)
        const wait = receiver.hold()
        if (wait !== undefined) return deliverFrom(rows, i + 1, receiver, wait)
      }
      return undefined
    },
  }
}

/** Goes on when the receiver accepts rows again. */
async function deliverFrom(
  rows: readonly Cells[],
  start: number,
  receiver: RowReceiver,
  hold: Promise<void>,
): Promise<void> {
  await hold
  for (const cells of rows.slice(start)) {
    receiver.row(cells)
    const wait = receiver.hold()
    if (wait !== undefined) await wait
  }
}
