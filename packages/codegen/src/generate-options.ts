/** @module The options of `generate`. */

/** Names of formats, in the order of the help text. */
export const formats = ['types', 'drizzle', 'kysely', 'zod', 'permissions'] as const

/** The name of a format: `types`, `drizzle`, `kysely`, `zod` or `permissions`. */
export type Format = (typeof formats)[number]

/** Options of `generate`. */
export interface GenerateOptions {
  readonly format: Format
  /** Only these connections; all by default. */
  readonly connections?: readonly string[]
  /** Version of drizzle-orm: 0 is 0.45 and similar (default), 1 is 1.0. Only for `drizzle`. */
  readonly drizzleVersion?: 0 | 1
  /** Type of 64-bit integers in Drizzle: exact (`bigint`, default), or a `number`, exact up to 2^53. */
  readonly bigint?: 'bigint' | 'number'
  /** Type of timestamps in Drizzle: a `Date` (default), exact to the millisecond, or PostgreSQL's text. */
  readonly dates?: 'date' | 'string'
}
