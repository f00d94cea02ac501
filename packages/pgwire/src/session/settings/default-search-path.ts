import type { VisibleCatalog } from '@engine/core/session'

/**
 * The search path of a session that sets none, as its caller's rights are when it begins.
 *
 * @param database of the startup packet. The name of a connection chooses it; any other name means all connections, the
 *   default connection first.
 * @returns connections in which the caller has rights on a table, as PostgreSQL skips schemas without USAGE; and the default
 *   connection in any case.
 */
export function defaultSearchPath(
  database: string,
  { connections, defaultConnection }: Pick<VisibleCatalog, 'connections' | 'defaultConnection'>,
): readonly string[] {
  const usable = connections
    .filter(({ tables, isWhole }) => isWhole || tables.length > 0)
    .map(({ name }) => name)
  if (usable.includes(database)) return [database]
  return defaultConnection === undefined
    ? usable
    : [defaultConnection, ...usable.filter((name) => name !== defaultConnection)]
}
