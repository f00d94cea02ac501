import { readFileSync } from 'node:fs'

/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A query on the shop with the rows of a real PostgreSQL, in wire form. */
export interface RecordedQuery {
  /** Group and name, unique. */
  readonly id: string
  readonly sql: string
  readonly params: readonly Json[]
  /** Whether the statement fixes the order of the rows. */
  readonly ordered: boolean
  readonly rows: readonly (readonly Json[])[]
}

/** Path of the recording. */
export const recording: URL = new URL('../recorded/queries.jsonl', import.meta.url)

/** The recorded queries; see `record.ts`. */
export function recordedQueries(): readonly RecordedQuery[] {
  return readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedQuery)
}
