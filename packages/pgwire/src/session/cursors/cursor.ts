/** @module A position among the rows of a query: DECLARE creates it, FETCH and MOVE change it. */

import type { Format } from '../../protocol/frontend-message.ts'
import type { ResultShape, Row } from '../results/result-shape.ts'
import type { RowSource } from '../results/row-source.ts'
import type { SessionMemory } from '../results/session-memory.ts'
import { batchSize, forwardOnly, ReadRows, type Scroll } from './read-rows.ts'

export interface Cursor {
  readonly shape: ResultShape
  /** Formats of its rows where the client requests none: `[1]` for a BINARY cursor. */
  readonly formats: readonly Format[]
  /** @returns how many rows were passed to `take` */
  move(motion: CursorMotion, take: Take, hold: Hold): Promise<number>
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

type Take = (row: Row) => void
type Hold = () => Promise<void> | undefined

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
export function createCursor(options: CursorOptions): Cursor {
  return new RowCursor(options)
}

/** A class: its position and its rows change together (decision 0088). */
class RowCursor implements Cursor {
  readonly shape: ResultShape
  readonly formats: readonly Format[]
  readonly #rows: ReadRows
  readonly #width: number | undefined
  /** Number of the current row, from 1; 0 before the first row; after the last row, the number of rows plus one. */
  #position = 0

  constructor({ source, shape, formats, scroll, width, memory }: CursorOptions) {
    this.shape = shape
    this.formats = formats
    this.#rows = new ReadRows(source, scroll, memory)
    this.#width = width
  }

  async move({ direction, count }: CursorMotion, take: Take, hold: Hold): Promise<number> {
    switch (direction) {
      case 'forward':
        return this.#moveBy(count, take, hold)
      case 'backward':
        return this.#moveBy(-count, take, hold)
      case 'absolute':
        if (count >= 0) return this.#goTo(count, take)
        this.#rows.requireScrollable()
        await this.#rows.readTo(Infinity)
        return this.#goTo(Math.max(this.#rows.count + 1 + count, 0), take)
      case 'relative':
        if (count === 0) return this.#repeat(take)
        if (count < 0) this.#rows.requireScrollable()
        return this.#goTo(Math.max(this.#position + count, 0), take)
    }
  }

  current(): Row | undefined {
    return this.#isOnRow() ? this.#rows.at(this.#position) : undefined
  }

  isScrollable(): boolean {
    return this.#rows.isScrollable
  }

  settle(): Promise<void> {
    return this.#rows.settle()
  }

  close(): Promise<void> {
    return this.#rows.close()
  }

  #moveBy(count: number, take: Take, hold: Hold): Promise<number> {
    if (count === 0) return this.#repeat(take)
    return count > 0 ? this.#forward(count, take, hold) : this.#backward(-count, take, hold)
  }

  async #forward(count: number, take: Take, hold: Hold): Promise<number> {
    const rows = this.#rows
    let taken = 0
    while (taken < count) {
      if (this.#position < rows.count) {
        this.#position += 1
        const row = rows.at(this.#position)
        if (row === undefined) throw forwardOnly()
        take(this.#shown(row))
        taken += 1
        continue
      }
      const batch = await rows.next(count - taken)
      if (batch.length === 0) {
        this.#position = rows.count + 1
        break
      }
      for (const row of batch) take(this.#shown(row))
      taken += batch.length
      this.#position = rows.count
      await hold()
    }
    return taken
  }

  async #backward(count: number, take: Take, hold: Hold): Promise<number> {
    this.#rows.requireScrollable()
    let taken = 0
    while (taken < count && this.#position > 0) {
      this.#position -= 1
      const row = this.#rows.at(this.#position)
      if (row === undefined) break
      take(this.#shown(row))
      taken += 1
      if (taken % batchSize === 0) await hold()
    }
    return taken
  }

  /** Moves to a row and returns it, if it exists. */
  async #goTo(target: number, take: Take): Promise<number> {
    if (target < 1) {
      if (this.#position > 0) this.#rows.requireScrollable()
      this.#position = 0
      return 0
    }
    if (target <= this.#position) this.#rows.requireScrollable()
    await this.#rows.readTo(target)
    this.#position = Math.min(target, this.#rows.count + 1)
    const row = this.#position === target ? this.#rows.at(target) : undefined
    if (row === undefined) return 0
    take(this.#shown(row))
    return 1
  }

  /** FETCH 0: the current row once more. */
  async #repeat(take: Take): Promise<number> {
    return this.#isOnRow() ? this.#goTo(this.#position, take) : 0
  }

  #isOnRow(): boolean {
    return this.#position > 0 && this.#position <= this.#rows.count
  }

  #shown(row: Row): Row {
    return this.#width === undefined ? row : row.slice(0, this.#width)
  }
}
