import type { ConnectionSettings } from '../settings/settings.ts'

/** The names of all connections, those that share a database included. */
export function connectionNames(
  connections: Iterable<Pick<ConnectionSettings, 'name' | 'members'>>,
): ReadonlySet<string> {
  return new Set([...connections].flatMap(({ name, members }) => [...(members?.keys() ?? [name])]))
}
