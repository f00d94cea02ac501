/**
 * @module The schema `public` in questions about catalogs. Mirrors have a schema for each connection and none called `public`; a
 * question that names it, or a session that has it in its search path, finds the default connection under this name.
 *
 * `\d public.orders`, with the default connection `main` → `alter schema "main" rename to public`, in a transaction that is rolled back.
 */
import { quoteName } from '../mirror/sql-text.ts'
import { isCalledPublic, publicConnection, publicName } from '../public-name.ts'
import type { CatalogQuery, CatalogRun, CatalogScope } from '../wire-catalog.ts'

/** SQL that renames the schema, and the search path meanwhile. */
export interface PublicSchema {
  readonly renaming: string
  readonly searchPath: string
}

/** Undefined: `public` has no meaning for the question. */
export function publicSchema(
  { sql }: CatalogQuery,
  run: CatalogRun | undefined,
  { visible, settings }: CatalogScope,
): PublicSchema | undefined {
  const meant = publicConnection(visible)
  if (meant === undefined) return undefined
  const searchPath = settings.get('search_path') ?? ''
  const texts = [sql, ...(run?.parameters ?? []).map(textOf)]
  const isNamed = texts.some((text) => /\bpublic\b/.test(text))
  if (!isNamed && !isCalledPublic(meant, searchPath)) return undefined
  return {
    renaming: `alter schema ${quoteName(meant.name)} rename to ${publicName}`,
    // The names of connections are words, quoted or not.
    searchPath: searchPath.replace(/\w+/g, (word) => (word === meant.name ? publicName : word)),
  }
}

/** Of a parameter in the text format; in the binary format texts are the same. */
function textOf(parameter: Uint8Array | null): string {
  return parameter === null ? '' : Buffer.from(parameter).toString('latin1')
}
