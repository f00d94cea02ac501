/**
 * @module A collection for what comes and goes with every request, instead of a `Set`.
 *
 * V8 replaces the table of a `Set` when it is full of deleted entries, and the old table refers to the new one. Where the set is old, so
 * is that table: until the next full garbage collection it keeps all later tables alive, with everything that was ever in them.
 */

/** What is there now; iterating goes over what was there when it began. */
export interface LiveList<T> extends Iterable<T> {
  readonly size: number
  add(value: T): LiveEntry<T>
  /** Does nothing where the entry was removed before. */
  remove(entry: LiveEntry<T>): void
}

/** The place of a value, in no particular order. */
export interface LiveEntry<T> {
  readonly value: T
  /** -1 when it was removed. */
  index: number
}

/** Creates an empty list. */
export function createLiveList<T>(): LiveList<T> {
  const entries: LiveEntry<T>[] = []
  return {
    get size() {
      return entries.length
    },
    add: (value) => {
      const entry = { value, index: entries.length }
      entries.push(entry)
      return entry
    },
    remove: (entry) => {
      const { index } = entry
      if (index < 0) return
      const last = entries.pop() as LiveEntry<T>
      if (last !== entry) {
        entries[index] = last
        last.index = index
      }
      entry.index = -1
    },
    [Symbol.iterator]: () => entries.map(({ value }) => value).values(),
  }
}
