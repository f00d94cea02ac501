/**
 * @module Which table of which connection a name means: `"main"."orders"`, `"public"."orders"`, `"main.orders"`, `orders`; where the
 * connection `main` has the schemas `public` and `auth`, also `"main"."auth.users"`, `"main"."auth"."users"` and `"auth"."users"`.
 */
import type { RangeVar } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Catalog, Connection, Table } from '../../catalog/catalog.ts'
import { bindError, located, positioned, unsupported } from '../../sql/bind-error.ts'

/** Names as the client wrote them; they need not exist. */
export interface TableAddress {
  /** Undefined when the client named none. */
  readonly connection: string | undefined
  readonly table: string
}

/** The qualifier that means the default connection. No connection has this name. */
const publicName = 'public'

/** The part of a relation that names its table. */
type TableName = Pick<RangeVar, 'catalogname' | 'schemaname' | 'relname'>

/** The names of connections and of their schemas, and the default connection. */
interface ConnectionNames {
  readonly connections: ReadonlyMap<string, Pick<Connection, 'schemas'>>
  readonly defaultConnection?: string | undefined
}

/** A single name with a dot whose first part is a connection means two names: `pgTable('main.users')` sends such a name. */
export function tableAddress(relation: TableName, names: ConnectionNames): TableAddress {
  const { catalogname, schemaname, relname = '' } = relation
  if (schemaname !== undefined && catalogname !== undefined) {
    const { schemas } = names.connections.get(catalogname) ?? {}
    return { connection: catalogname, table: nameInSchema(schemaname, relname, schemas) }
  }
  if (schemaname !== undefined) return qualified(schemaname, relname, names)
  const dot = relname.indexOf('.')
  const prefix = relname.slice(0, Math.max(dot, 0))
  return dot > 0 && (names.connections.has(prefix) || prefix === publicName)
    ? qualified(prefix, relname.slice(dot + 1), names)
    : { connection: undefined, table: relname }
}

/**
 * A connection comes first, then what `public` means, then a schema of the default connection. Of a connection with several
 * schemas any other qualifier is a schema: the answer must not depend on which tables exist.
 */
function qualified(
  qualifier: string,
  table: string,
  { connections, defaultConnection }: ConnectionNames,
): TableAddress {
  if (defaultConnection === undefined || connections.has(qualifier)) {
    return { connection: qualifier, table }
  }
  const { schemas } = connections.get(defaultConnection) ?? {}
  if (schemas !== undefined && (qualifier !== publicName || schemas.includes(publicName))) {
    return { connection: defaultConnection, table: nameInSchema(qualifier, table, schemas) }
  }
  return { connection: qualifier === publicName ? defaultConnection : qualifier, table }
}

/** `orders` in the first of several schemas, `auth.users` in another one. */
function nameInSchema(
  schema: string,
  table: string,
  schemas: readonly string[] | undefined,
): string {
  return schema === schemas?.[0] ? table : `${schema}.${table}`
}

/** The qualifiers that mean the connection itself. */
export function qualifiersOf(connection: Connection, catalog: Catalog): ReadonlySet<string> {
  const { name, schemas = [] } = connection
  const isPublic = name === catalog.defaultConnection && !schemas.slice(1).includes(publicName)
  return new Set(isPublic ? [name, publicName] : [name])
}

/**
 * The qualifiers of a table's name in column names, each as a path: `main` for `"main"."orders"`, `auth` and `main.auth` for
 * `"main"."auth"."users"`.
 *
 * @param own those of its connection.
 */
export function tableQualifiers(
  { relname = '' }: TableName,
  { name, native }: Table,
  connection: Connection,
  own: ReadonlySet<string>,
): ReadonlySet<string> {
  const { schemas } = connection
  if (schemas === undefined) return own
  const inPath = (schema: string) => [schema, `${connection.name}.${schema}`]
  if (name !== relname) return new Set(inPath(name.slice(0, -1 - relname.length)))
  const [first = ''] = schemas
  return native.schema === first ? new Set([...own, ...inPath(first)]) : own
}

/**
 * The one connection that a statement runs on.
 *
 * @throws {GatewayError} `tableNotFound` for a table of a connection that does not exist, `badRequest` when the tables
 *   belong to several, for `public` without a default connection, and for three parts where there are no schemas.
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
    if (
      relation.catalogname !== undefined &&
      catalog.connections.get(connection)?.schemas === undefined
    ) {
      throw unsupported('A table name of three parts', relation.location)
    }
    if (!catalog.connections.has(connection)) {
      if (connection === publicName) throw nothingPublic(table, relation.location)
      throw tableNotFound(connection, table, relation.location)
    }
    if (!named.has(connection)) named.set(connection, relation)
  }
  const [first, second] = named
  if (second !== undefined) {
    throw severalConnections(first?.[0] ?? '', second[0], second[1].location)
  }
  const [anyName] = catalog.connections.keys()
  const bareName =
    searchPath === undefined && relations.length > 0
      ? catalog.defaultConnection
      : connectionInPath(relations, catalog, searchPath)
  const name = first?.[0] ?? bareName ?? anyName ?? ''
  const connection = catalog.connections.get(name)
  if (connection === undefined) throw new GatewayError('unavailable', 'There is no connection.')
  return connection
}

function severalConnections(first: string, second: string, position: number | undefined): Error {
  return bindError(
    `a statement can use the tables of one connection only, this one names "${first}" and "${second}"`,
    { sqlState: '0A000', position },
  )
}

function nothingPublic(table: string, position: number | undefined): Error {
  return bindError(
    `table "${publicName}"."${table}": "${publicName}" means no connection, there are several`,
    { sqlState: '42P01', position, hint: namingHint(table) },
  )
}

function namingHint(table: string): string {
  return `Write "<connection>"."${table}", or set defaultConnection in the configuration.`
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
  const { defaultConnection } = catalog
  const isInPath = searchPath?.includes(connection.name) ?? connection.name === defaultConnection
  if (address.connection === undefined && isInPath) return address.table
  if (searchPath !== undefined) {
    throw bindError(`relation "${address.table}" does not exist`, {
      sqlState: '42P01',
      position: relation.location,
    })
  }
  if (defaultConnection !== undefined) {
    throw severalConnections(connection.name, defaultConnection, relation.location)
  }
  throw bindError(
    `table "${address.table}" must be named with its connection: "<connection>"."${address.table}"`,
    { sqlState: '42P01', position: relation.location, hint: namingHint(address.table) },
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
