/** @module Files that could not be loaded, and when to try again. */
import type { FileSignature, LoadFailure } from '../load/load-job.ts'

export interface Failures {
  /** @returns false for a failure that was already recorded. */
  note(failure: LoadFailure): boolean
  /** Returns whether a new attempt may succeed. */
  isWorthTrying(table: string, signature: FileSignature): boolean
  forget(table: string): void
}

/** In milliseconds. */
const retryMs = 5_000

/**
 * A file with invalid content fails until it is changed. A full disk or a missing right to read can be corrected at any
 * time.
 *
 * @param now milliseconds since any fixed time.
 */
export function createFailures(now: () => number): Failures {
  const known = new Map<string, { readonly failure: LoadFailure; readonly at: number }>()
  return {
    note: (failure) => {
      const before = known.get(failure.table)?.failure
      known.set(failure.table, { failure, at: now() })
      return before?.signature !== failure.signature || before.reason !== failure.reason
    },
    isWorthTrying: (table, signature) => {
      const last = known.get(table)
      if (last === undefined || last.failure.signature !== signature) return true
      return !last.failure.isOfFile && now() - last.at >= retryMs
    },
    forget: (table) => void known.delete(table),
  }
}
