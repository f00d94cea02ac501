/** @module The connection that shows chosen schemas of a PostgreSQL database. */
import type { FoundSchema } from '@engine/contract/admin-api'

/** A person chooses where there is more than `public`. */
export function isOffered(found: readonly FoundSchema[]): boolean {
  return found.some(({ name }) => name !== 'public')
}

/**
 * The value of `connections.<name>`: the URL alone for `public`, which a connection shows anyway.
 *
 * @param chosen in the order of the schemas that were found.
 */
export function withSchemas(
  url: string,
  found: readonly FoundSchema[],
  chosen: readonly string[],
): string | { readonly url: string; readonly schemas: readonly string[] } {
  const isDefault = chosen.length === 0 || chosen.join('\0') === 'public'
  return isDefault || !isOffered(found) ? url : { url, schemas: chosen }
}
