import type Database from 'better-sqlite3'

/** A database of so many bytes is small. */
const smallBytes = 33_554_432

/** It looks at most this often whether the database has grown. In milliseconds. */
const lookMs = 250

/**
 * Makes the function that tells whether the whole database is small: then no part of it is too large for memory.
 *
 * @param clock in milliseconds.
 */
export function createSizeCheck(
  database: Database.Database,
  clock: () => number = () => performance.now(),
): () => boolean {
  const numberOf = (pragma: string) =>
    database.prepare<[], number>(pragma).pluck().safeIntegers(false)
  const pageCount = numberOf('pragma page_count')
  const pageSize = numberOf('pragma page_size')
  let isSmall = false
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock()
    if (now - lookedAt < lookMs) return isSmall
    lookedAt = now
    isSmall = (pageCount.get() ?? 0) * (pageSize.get() ?? 0) <= smallBytes
    return isSmall
  }
}
