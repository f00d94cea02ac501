/** @module What can be generated. */
import type { SchemaDocument } from '@engine/contract'
import { drizzleFile } from './formats/drizzle.ts'
import { kyselyFile } from './formats/kysely.ts'
import { typesFile } from './formats/types.ts'
import { zodFile } from './formats/zod.ts'

/** Names of formats, in the order in which people are told of them. */
export const formats = ['types', 'drizzle', 'kysely', 'zod'] as const

export type Format = (typeof formats)[number]

export interface GenerateOptions {
  readonly format: Format
  /** Only these connections; all by default. */
  readonly connections?: readonly string[]
  /** Of drizzle-orm: 0 is 0.45 and its kin (default), 1 is 1.0. Only for `drizzle`. */
  readonly drizzleVersion?: 0 | 1
  /** What 64-bit integers are in Drizzle: exact (`bigint`, default), or a `number`, exact up to 2^53. */
  readonly bigint?: 'bigint' | 'number'
  /** What moments are in Drizzle: a `Date` (default), exact to the millisecond, or PostgreSQL's text. */
  readonly dates?: 'date' | 'string'
}

/** TypeScript for a schema. The same schema is the same text. */
export function generate(document: SchemaDocument, options: GenerateOptions): string {
  const schema = selected(document, options.connections)
  switch (options.format) {
    case 'types':
      return typesFile(schema)
    case 'drizzle':
      return drizzleFile(schema, options)
    case 'kysely':
      return kyselyFile(schema)
    case 'zod':
      return zodFile(schema)
  }
}

function selected(schema: SchemaDocument, names: readonly string[] | undefined): SchemaDocument {
  if (names === undefined) return schema
  const entries = Object.entries(schema.connections).filter(([name]) => names.includes(name))
  return { ...schema, connections: Object.fromEntries(entries) }
}
