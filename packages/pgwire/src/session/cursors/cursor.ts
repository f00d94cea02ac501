/** @module A position among the rows of a query: DECLARE creates it, FETCH and MOVE change it. */

import { wireError } from '../../errors/wire-error.ts'
import type { Format } from '../../protocol/frontend-message.ts'
import type { ResultShape, Row } from '../results/result-shape.ts'
import { bufferedRows, type RowSource } from '../results/row-source.ts'
import { type SessionMemory, sizeOfRow } from '../results/session-memory.ts'

export interface Cursor {
  readonly shape: ResultShape
  /** Formats of its rows where the client requests none: `[1]` for a BINARY cursor. */
  readonly formats: readonly Format[]
  /** @returns how many rows were passed to `take` */
  move(motion: CursorMotion, take: (row: Row) => void, hold: Hold): Promise<number>
  /** The whole row where it is, with cells that are not shown; undefined before the first row and after the last one. */
  current(): Row | undefined
  isScrollable(): boolean
  /** Reads the remaining rows now: the transaction ends, the cursor stays open. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Infinity means ALL. A negative number moves backwards, or counts from the end where `absolute` is set. */
export interface CursorMotion {
  readonly direction: 'forward' | 'backward' | 'absolute' | 'relative'
  readonly count: number
}

type Hold = () => Promise<void> | undefined

/** How many rows one fetch reads. */
const batchSize = 500

/**
 * Can it move back? Then it buffers every row that it has read. `whileSmall`: until these have more than `smallBytes`; from then on it
 * goes forward only.
 */
export type Scroll = 'always' | 'whileSmall' | 'never'

const smallBytes = 1_048_576

export interface CursorOptions {
  readonly source: RowSource
  readonly shape: ResultShape
  readonly formats: readonly Format[]
  readonly scroll: Scroll
  /** Number of cells of a row that are shown; all of them where it is absent. */
  readonly width?: number | undefined
  /** Buffered rows count towards it. */
  readonly memory: SessionMemory
}

/**
 * @throws {GatewayError} from `move`: 55000 for a move backwards where it is not scrollable, 53200 for more rows than
 * fit
 */
export function createCursor({
  source,
  shape,
  formats,
  scroll,
  width,
  memory,
}: CursorOptions): Cursor {
  let rows = source
  let isScrollable = scroll !== 'never'
  const shown = (row: Row): Row => (width === undefined ? row : row.slice(0, width))
  /** Rows that have been read: all of them, or only the last one. */
  const kept: Row[] = []
  /** Number of the current row, from 1; 0 before the first row; after the last row, the number of rows plus one. */
  let position = 0
  /** How many rows have been read, and whether there are no more. */
  let read = 0
  let isEnd = false

  /** Bytes of the rows that are kept. */
  let held = 0

  const hold = (row: Row) => {
    const size = sizeOfRow(row)
    memory.take(size)
    held += size
  }

  const forget = () => {
    isScrollable = false
    memory.give(held)
    held = 0
  }

  const keep = (row: Row) => {
    if (scroll === 'whileSmall' && isScrollable && held + sizeOfRow(row) > smallBytes) forget()
    if (isScrollable) hold(row)
    else kept.length = 0
    kept.push(row)
    read += 1
  }

  /** At most `count` rows after those that have been read. */
  const readOn = async (count: number): Promise<readonly Row[]> => {
    if (isEnd || count <= 0) return []
    const wanted = Math.min(count, batchSize)
    const batch = await rows.fetch(wanted)
    if (batch.length < wanted) isEnd = true
    for (const row of batch) keep(row)
    return batch
  }

  const readTo = async (target: number) => {
    while (read < target && !isEnd) await readOn(target - read)
  }

  const rowAt = (index: number): Row | undefined =>
    isScrollable ? kept[index - 1] : index === read ? kept[0] : undefined

  const forward = async (count: number, take: (row: Row) => void, hold: Hold): Promise<number> => {
    let taken = 0
    while (taken < count) {
      if (position < read) {
        position += 1
        const row = rowAt(position)
        if (row === undefined) throw forwardOnly()
        take(shown(row))
        taken += 1
        continue
      }
      const batch = await readOn(count - taken)
      if (batch.length === 0) {
        position = read + 1
        break
      }
      for (const row of batch) take(shown(row))
      taken += batch.length
      position = read
      await hold()
    }
    return taken
  }

  const backward = async (count: number, take: (row: Row) => void, hold: Hold): Promise<number> => {
    if (!isScrollable) throw forwardOnly()
    let taken = 0
    while (taken < count && position > 0) {
      position -= 1
      const row = rowAt(position)
      if (row === undefined) break
      take(shown(row))
      taken += 1
      if (taken % batchSize === 0) await hold()
    }
    return taken
  }

  /** Moves to a row and returns it, if it exists. */
  const goTo = async (target: number, take: (row: Row) => void): Promise<number> => {
    if (target < 1) {
      if (position > 0 && !isScrollable) throw forwardOnly()
      position = 0
      return 0
    }
    if (target <= position && !isScrollable) throw forwardOnly()
    await readTo(target)
    position = Math.min(target, read + 1)
    const row = position === target ? rowAt(target) : undefined
    if (row === undefined) return 0
    take(shown(row))
    return 1
  }

  const isOnRow = () => position > 0 && position <= read

  /** FETCH 0: the current row once more. */
  const repeat = async (take: (row: Row) => void): Promise<number> =>
    isOnRow() ? goTo(position, take) : 0

  return {
    shape,
    formats,
    move: async ({ direction, count }, take, hold) => {
      switch (direction) {
        case 'forward':
        case 'backward': {
          const signed = direction === 'forward' ? count : -count
          if (signed === 0) return repeat(take)
          return signed > 0 ? forward(signed, take, hold) : backward(-signed, take, hold)
        }
        case 'absolute':
          if (count >= 0) return goTo(count, take)
          if (!isScrollable) throw forwardOnly()
          await readTo(Infinity)
          return goTo(Math.max(read + 1 + count, 0), take)
        case 'relative':
          if (count === 0) return repeat(take)
          if (count < 0 && !isScrollable) throw forwardOnly()
          return goTo(Math.max(position + count, 0), take)
      }
    },
    current: () => (isOnRow() ? rowAt(position) : undefined),
    isScrollable: () => isScrollable,
    settle: async () => {
      const left: Row[] = []
      for (;;) {
        const batch = isEnd ? [] : await rows.fetch(batchSize)
        for (const row of batch) {
          hold(row)
          left.push(row)
        }
        if (batch.length < batchSize) break
      }
      await rows.close()
      rows = bufferedRows(left)
    },
    close: () => {
      memory.give(held)
      held = 0
      return rows.close()
    },
  }
}

function forwardOnly(): Error {
  return wireError('55000', 'cursor can only scan forward')
}
