/** @module The name `public`, under which a session may find the default connection. */
import type { VisibleCatalog, VisibleConnection } from '@engine/core/session'

export const publicName = 'public'

/** The connection that `public` means; undefined where it has no meaning, or that of a schema of the database. */
export function publicConnection({
  connections,
  defaultConnection,
}: Pick<VisibleCatalog, 'connections' | 'defaultConnection'>): VisibleConnection | undefined {
  const meant = connections.find(({ name }) => name === defaultConnection)
  return meant?.schemas?.slice(1).includes(publicName) ? undefined : meant
}

/** A session with this search path finds the connection as `public`, and not under its own name. */
export function isCalledPublic({ name }: VisibleConnection, searchPath: string): boolean {
  const words: readonly string[] = searchPath.match(/\w+/g) ?? []
  return words.includes(publicName) && !words.includes(name)
}
