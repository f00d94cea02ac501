/** @module Generates a file in one of the formats. */
import type { SchemaDocument } from '@engine/contract'
import { drizzleFile } from './formats/drizzle.ts'
import { kyselyFile } from './formats/kysely.ts'
import { permissionsFile } from './formats/permissions.ts'
import { typesFile } from './formats/types.ts'
import { zodFile } from './formats/zod.ts'
import type { GenerateOptions } from './generate-options.ts'

/**
 * Generates TypeScript for a schema. The same schema always gives the same text.
 *
 * @example
 * const schema = await (await fetch('http://127.0.0.1:3001/schema')).json()
 * writeFileSync('src/schema.ts', generate(schema, { format: 'drizzle', connections: ['main'] }))
 */
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
    case 'permissions':
      return permissionsFile(schema)
  }
}

function selected(schema: SchemaDocument, names: readonly string[] | undefined): SchemaDocument {
  if (names === undefined) return schema
  const entries = Object.entries(schema.connections).filter(([name]) => names.includes(name))
  return { ...schema, connections: Object.fromEntries(entries) }
}
