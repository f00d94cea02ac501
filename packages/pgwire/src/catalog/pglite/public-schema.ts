/**
 * @module The schema `public` in questions about catalogs. Mirrors have a schema for each connection and none called `public`; a
 * question that names it, or a session that has it in its search path, finds the default connection under this name.
 *
 * `\d public.orders`, with the default connection `main` → `alter schema "main" rename to public`, in a transaction that is rolled back.
 */
import { quoteName } from '../mirror/sql-text.ts'
import type { CatalogQuery, CatalogRun, CatalogScope } from '../wire-catalog.ts'

const publicName = 'public'

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
  const { defaultConnection } = visible
  const meant = visible.connections.find(({ name }) => name === defaultConnection)
  if (defaultConnection === undefined || meant === undefined) return undefined
  // Statements find a schema of the database under this name.
  if (meant.schemas?.slice(1).includes(publicName)) return undefined
  const searchPath = settings.get('search_path') ?? ''
  const words: readonly string[] = searchPath.match(/\w+/g) ?? []
  // A path that has the connection under its own name finds it without another.
  const path = words.includes(defaultConnection) ? '' : searchPath
  const texts = [sql, path, ...(run?.parameters ?? []).map(textOf)]
  if (!texts.some((text) => /\bpublic\b/.test(text))) return undefined
  return {
    renaming: `alter schema ${quoteName(defaultConnection)} rename to ${publicName}`,
    // The names of connections are words, quoted or not.
    searchPath: searchPath.replace(/\w+/g, (word) =>
      word === defaultConnection ? publicName : word,
    ),
  }
}

/** Of a parameter in the text format; in the binary format texts are the same. */
function textOf(parameter: Uint8Array | null): string {
  return parameter === null ? '' : Buffer.from(parameter).toString('latin1')
}
