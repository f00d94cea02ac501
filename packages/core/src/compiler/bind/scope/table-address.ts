/** @module `"main"."orders"`, `"main.orders"`, `orders`: which table of which connection. */
import type { RangeVar } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Catalog, Connection } from '../../catalog/catalog.ts'
import { bindError, located, positioned } from '../../sql/bind-error.ts'

/** Names as the client wrote them; they need not exist. */
export interface TableAddress {
  /** Undefined when the client named none. */
  readonly connection: string | undefined
  readonly table: string
}

/** A single name with a dot whose first part is a connection means two names: `pgTable('main.users')` sends such a name. */
export function tableAddress(relation: RangeVar, catalog: Catalog): TableAddress {
  const { schemaname, relname = '' } = relation
  if (schemaname !== undefined) return { connection: schemaname, table: relname }
  const dot = relname.indexOf('.')
  const prefix = relname.slice(0, Math.max(dot, 0))
  return dot > 0 && catalog.connections.has(prefix)
    ? { connection: prefix, table: relname.slice(dot + 1) }
    : { connection: undefined, table: relname }
}

/**
 * The one connection that a statement runs on.
 *
 * @throws {GatewayError} `tableNotFound` for a table of a connection that does not exist, `badRequest` when the tables
 *   belong to several.
 */
export function connectionOf(
  relations: readonly RangeVar[],
  catalog: Catalog,
  searchPath?: readonly string[],
): Connection {
  const named = new Map<string, RangeVar>()
  for (const relation of relations) {
    const { connection, table } = tableAddress(relation, catalog)
    if (connection === undefined) continue
    if (!catalog.connections.has(connection)) {
      throw tableNotFound(connection, table, relation.location)
    }
    if (!named.has(connection)) named.set(connection, relation)
  }
  const [first, second] = named
  if (second !== undefined) {
    throw bindError(
      `a statement can use the tables of one connection only, this one names "${first?.[0]}" and "${second[0]}"`,
      { sqlState: '0A000', position: second[1].location },
    )
  }
  const [anyName] = catalog.connections.keys()
  const name = first?.[0] ?? connectionInPath(relations, catalog, searchPath) ?? anyName ?? ''
  const connection = catalog.connections.get(name)
  if (connection === undefined) throw new GatewayError('unavailable', 'There is no connection.')
  return connection
}

/** The first connection of the path that has one of the tables. */
function connectionInPath(
  relations: readonly RangeVar[],
  catalog: Catalog,
  searchPath: readonly string[] = [],
): string | undefined {
  const has = (name: string, table: string) => catalog.connections.get(name)?.tables.has(table)
  for (const relation of relations) {
    const { table } = tableAddress(relation, catalog)
    const found = searchPath.find((name) => has(name, table))
    if (found !== undefined) return found
  }
  return searchPath.find((name) => catalog.connections.has(name))
}

/**
 * The name of a table within `connection`.
 *
 * @throws {GatewayError} `badRequest` when it lacks the connection's name and there are several to choose from, or the
 *   search path does not have it.
 */
export function tableNameIn(
  connection: Connection,
  relation: RangeVar,
  catalog: Catalog,
  searchPath?: readonly string[],
): string {
  const address = tableAddress(relation, catalog)
  if (address.connection === connection.name) return address.table
  const isInPath = searchPath?.includes(connection.name) ?? catalog.connections.size === 1
  if (address.connection === undefined && isInPath) return address.table
  if (searchPath !== undefined) {
    throw bindError(`relation "${address.table}" does not exist`, {
      sqlState: '42P01',
      position: relation.location,
    })
  }
  throw bindError(
    `table "${address.table}" must be named with its connection: "<connection>"."${address.table}"`,
    { sqlState: '42P01', position: relation.location },
  )
}

/** The same error for every missing table, whatever its connection. */
export function tableNotFound(
  connection: string,
  table: string,
  position: number | undefined,
): GatewayError {
  const message = located(`table "${connection}"."${table}" does not exist`, position)
  return new GatewayError('tableNotFound', message, {
    sqlState: '42P01',
    ...positioned(position),
  })
}
