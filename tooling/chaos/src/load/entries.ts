/** @module Known states of rows that were stored, one by one; compared with the table at the end. */
import type { ConnectionName } from '../target.ts'

/** `stored`: acknowledged. `unknown`: the answer was lost. `refused`: must not be there. `deleted`: acknowledged. */
export type EntryState = 'stored' | 'unknown' | 'refused' | 'deleted'

/** Rows by id. */
export type Entries = Map<string, EntryState>

/** The error of an entry that has this number of rows; undefined when the number is right. */
export function countFault(state: EntryState, count: number): string | undefined {
  if (count > 1) return `stored ${count} times`
  if (state === 'stored' && count === 0) return 'acknowledged, and lost'
  if (state === 'refused' && count > 0) return 'refused, and stored'
  if (state === 'deleted' && count > 0) return 'deleted, and there'
  return undefined
}

export type EntriesByConnection = Readonly<Record<ConnectionName, Entries>>
