import { readFileSync } from 'node:fs'

/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A query on the shop with the rows that a real PostgreSQL answered, in the forms of the wire. */
export interface RecordedQuery {
  /** Group and name, unique. */
  readonly id: string
  readonly sql: string
  readonly params: readonly Json[]
  /** Whether the statement fixes the order of the rows. */
  readonly ordered: boolean
  readonly rows: readonly (readonly Json[])[]
}

/** Where the recording is. */
export const recording: URL = new URL('../recorded/queries.jsonl', import.meta.url)

/** What was recorded; see `record.ts`. */
export function recordedQueries(): readonly RecordedQuery[] {
  return readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedQuery)
}
