/** @module The rows of a cursor that have been read: all of them are kept while it can move back, otherwise the last one. */

import { wireError } from '../../errors/wire-error.ts'
import type { Row } from '../results/result-shape.ts'
import { bufferedRows, type RowSource } from '../results/row-source.ts'
import { type SessionMemory, sizeOfRow } from '../results/session-memory.ts'

/** How many rows one fetch reads. */
export const batchSize = 500

/**
 * Can it move back? Then it buffers every row that it has read. `whileSmall`: until these have more than `smallBytes`; from then on it
 * goes forward only.
 */
export type Scroll = 'always' | 'whileSmall' | 'never'

const smallBytes = 1_048_576

/** A class: the source, and what is kept of it, change together (decision 0088). */
export class ReadRows {
  #source: RowSource
  readonly #scroll: Scroll
  readonly #memory: SessionMemory
  readonly #kept: Row[] = []
  #isScrollable: boolean
  #count = 0
  #isEnd = false
  /** Bytes of the kept rows that count towards the session's memory. */
  #held = 0

  constructor(source: RowSource, scroll: Scroll, memory: SessionMemory) {
    this.#source = source
    this.#scroll = scroll
    this.#memory = memory
    this.#isScrollable = scroll !== 'never'
  }

  get isScrollable(): boolean {
    return this.#isScrollable
  }

  /** How many rows have been read: the number of the last one, from 1. */
  get count(): number {
    return this.#count
  }

  /** @param number from 1; undefined for a row that is not kept, or not read. */
  at(number: number): Row | undefined {
    if (this.#isScrollable) return this.#kept[number - 1]
    return number === this.#count ? this.#kept[0] : undefined
  }

  /** At most `count` rows after those that have been read; none at the end. */
  async next(count: number): Promise<readonly Row[]> {
    if (this.#isEnd || count <= 0) return []
    const wanted = Math.min(count, batchSize)
    const batch = await this.#source.fetch(wanted)
    if (batch.length < wanted) this.#isEnd = true
    for (const row of batch) this.#keep(row)
    return batch
  }

  /** Reads until the row of that number, or the end. */
  async readTo(number: number): Promise<void> {
    while (this.#count < number && !this.#isEnd) await this.next(number - this.#count)
  }

  /** @throws {GatewayError} 55000 where rows that were read are not kept. */
  requireScrollable(): void {
    if (!this.#isScrollable) throw forwardOnly()
  }

  /** Reads the remaining rows from the source, which is closed then. */
  async settle(): Promise<void> {
    const left: Row[] = []
    for (;;) {
      const batch = this.#isEnd ? [] : await this.#source.fetch(batchSize)
      for (const row of batch) {
        this.#hold(row)
        left.push(row)
      }
      if (batch.length < batchSize) break
    }
    await this.#source.close()
    this.#source = bufferedRows(left)
  }

  close(): Promise<void> {
    this.#release()
    return this.#source.close()
  }

  #keep(row: Row): void {
    if (this.#isScrollable && this.#isTooLarge(row)) {
      this.#isScrollable = false
      this.#release()
    }
    if (this.#isScrollable) this.#hold(row)
    else this.#kept.length = 0
    this.#kept.push(row)
    this.#count += 1
  }

  #isTooLarge(row: Row): boolean {
    return this.#scroll === 'whileSmall' && this.#held + sizeOfRow(row) > smallBytes
  }

  #hold(row: Row): void {
    const size = sizeOfRow(row)
    this.#memory.take(size)
    this.#held += size
  }

  #release(): void {
    this.#memory.give(this.#held)
    this.#held = 0
  }
}

export function forwardOnly(): Error {
  return wireError('55000', 'cursor can only scan forward')
}
