/** @module Rows of two sources as one list. A row that is in both, since an answer of the database was lost, is in it once. */
import type { AuditRow } from './audit-tables.ts'

/** Both newest first, as is the result. */
export function mergeNewest(
  left: readonly AuditRow[],
  right: readonly AuditRow[],
  limit: number,
): readonly AuditRow[] {
  const byId = new Map([...left, ...right].map((row) => [row.id, row]))
  return [...byId.values()].toSorted(newestFirst).slice(0, limit)
}

/** Both oldest first, as is the result. */
export async function* mergeOldest(
  left: AsyncIterable<readonly AuditRow[]>,
  right: AsyncIterable<readonly AuditRow[]>,
): AsyncGenerator<readonly AuditRow[]> {
  const [first, second] = [new Pages(left), new Pages(right)]
  let last = ''
  for (;;) {
    await Promise.all([first.fill(), second.fill()])
    const page: AuditRow[] = []
    for (;;) {
      const next =
        first.head() === undefined || isLater(first.head(), second.head()) ? second : first
      const row = next.head()
      if (row === undefined) break
      next.shift()
      if (row.id !== last) page.push(row)
      last = row.id
      // More of this source are needed to know which one is next.
      if (next.head() === undefined && !next.hasEnded()) break
    }
    if (page.length > 0) yield page
    if (first.hasEnded() && second.hasEnded()) return
  }
}

function isLater(row: AuditRow | undefined, other: AuditRow | undefined): boolean {
  return row !== undefined && other !== undefined && row.id > other.id
}

/** @returns a negative number when the first row is the newer one. */
export function newestFirst(left: AuditRow, right: AuditRow): number {
  return left.id < right.id ? 1 : -1
}

/** The rows of a source one by one. */
class Pages {
  readonly #pages: AsyncIterator<readonly AuditRow[]>
  #page: readonly AuditRow[] = []
  #at = 0
  #isDone = false

  constructor(pages: AsyncIterable<readonly AuditRow[]>) {
    this.#pages = pages[Symbol.asyncIterator]()
  }

  head(): AuditRow | undefined {
    return this.#page[this.#at]
  }

  shift(): void {
    this.#at += 1
  }

  hasEnded(): boolean {
    return this.#isDone && this.head() === undefined
  }

  /** Afterwards there is a head, or the source has ended. */
  async fill(): Promise<void> {
    while (this.head() === undefined && !this.#isDone) {
      const next = await this.#pages.next()
      this.#isDone = next.done === true
      if (next.done === true) return
      this.#page = next.value
      this.#at = 0
    }
  }
}
