/**
 * @module Which table of which connection a name means: `"main"."orders"`, `"public"."orders"`, `"main.orders"`, `orders`; where the
 * connection `main` has the schemas `public` and `auth`, also `"main"."auth.users"`, `"main"."auth"."users"` and `"auth"."users"`.
 */
import type { RangeVar } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Catalog, Connection, Table } from '../../catalog/catalog.ts'
import { findTable } from '../../catalog/partitions.ts'
import { databaseOf, keyIn } from '../../catalog/shared-database.ts'
import { bindError, located, positioned, unsupported } from '../../sql/bind-error.ts'

/** Names as the client wrote them; they need not exist. */
export interface TableAddress {
  /** Undefined when the client named none. */
  readonly connection: string | undefined
  readonly table: string
}

/** The qualifier that means the default connection. No connection has this name. */
const publicName = 'public'

/** Where a name without a qualifier is looked up. */
export interface SearchPath {
  /** Connections; the first match wins. */
  readonly names: readonly string[]
  /** May the caller do something with the table? Such tables are found first: PostgreSQL skips schemas without USAGE. */
  readonly mayUse: (connection: Connection, table: string) => boolean
}

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
export function qualifiersOf(
  { name, schemas = [] }: Pick<Connection, 'name' | 'schemas'>,
  catalog: Catalog,
): ReadonlySet<string> {
  const isPublic = name === catalog.defaultConnection && !schemas.slice(1).includes(publicName)
  return new Set(isPublic ? [name, publicName] : [name])
}

/** The schema that a qualifier means, where several connections share a database. */
export function schemaNamed(
  qualifier: string,
  { members }: Connection,
  { defaultConnection = '' }: Catalog,
): string | undefined {
  return members?.get(qualifier === publicName ? defaultConnection : qualifier)
}

/**
 * The qualifiers of a table's name in column names, each as a path: `main` for `"main"."orders"`, `auth` and `main.auth` for
 * `"main"."auth"."users"`.
 */
export function tableQualifiers(
  { relname = '' }: TableName,
  { connection: named, name, native }: Table,
  connection: Connection,
  catalog: Catalog,
): ReadonlySet<string> {
  const { schemas } = connection
  const own = qualifiersOf({ name: named, schemas }, catalog)
  if (schemas === undefined) return own
  const inPath = (schema: string) => [schema, `${connection.name}.${schema}`]
  if (name !== relname) return new Set(inPath(name.slice(0, -1 - relname.length)))
  const [first = ''] = schemas
  return native.schema === first ? new Set([...own, ...inPath(first)]) : own
}

/**
 * The one connection that a statement runs on: of connections that share a database, the one with the tables of all. A statement
 * that names no table runs on the first of the search path, or the default connection.
 *
 * @throws {GatewayError} `tableNotFound` for a table of a connection that does not exist, `badRequest` when the tables
 *   belong to several, for `public` without a default connection, and for three parts where there are no schemas.
 */
export function connectionOf(
  relations: readonly RangeVar[],
  catalog: Catalog,
  searchPath?: SearchPath,
): Connection {
  const named = new Map<Connection, readonly [string, RangeVar]>()
  for (const relation of relations) {
    const { connection, table } = tableAddress(relation, catalog)
    if (connection === undefined) continue
    if (
      relation.catalogname !== undefined &&
      catalog.connections.get(connection)?.schemas === undefined
    ) {
      throw unsupported('A table name of three parts', relation.location)
    }
    const found = catalog.connections.get(connection)
    if (found === undefined) {
      if (connection === publicName) throw nothingPublic(table, relation.location)
      throw tableNotFound(connection, table, relation.location)
    }
    const database = databaseOf(found)
    if (!named.has(database)) named.set(database, [connection, relation])
  }
  const [first, second] = named.values()
  if (second !== undefined) {
    throw severalConnections(first?.[0] ?? '', second[0], second[1].location)
  }
  const [anyName] = catalog.connections.keys()
  const bareName =
    searchPath === undefined
      ? catalog.defaultConnection
      : connectionInPath(relations, catalog, searchPath)
  const name = first?.[0] ?? bareName ?? catalog.defaultConnection ?? anyName ?? ''
  const connection = catalog.connections.get(name)
  if (connection === undefined) throw new GatewayError('unavailable', 'There is no connection.')
  return databaseOf(connection)
}

function severalConnections(first: string, second: string, position: number | undefined): Error {
  return bindError(
    `a statement can use the tables of one database only, this one names the connections "${first}" and "${second}"`,
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

const everyTable: SearchPath['mayUse'] = () => true

const hasTable = (connection: Connection, name: string): boolean =>
  findTable(connection, name) !== undefined

/** The first connection of the path that has one of the tables. */
function connectionInPath(
  relations: readonly RangeVar[],
  catalog: Catalog,
  { names, mayUse }: SearchPath = { names: [], mayUse: everyTable },
): string | undefined {
  for (const relation of relations) {
    const { table } = tableAddress(relation, catalog)
    const found = firstWith(table, { names, mayUse }, catalog, hasTable)
    if (found !== undefined) return found
  }
  const existing = names.filter((name) => catalog.connections.has(name))
  // A statement without tables runs on a connection of which the caller may know something.
  const isUsable = (name: string): boolean => {
    const tables = catalog.connections.get(name)?.tables
    return tables?.keys().some((table) => mayUse(requiredConnection(catalog, name), table)) === true
  }
  return existing.find(isUsable) ?? (relations.length === 0 ? undefined : existing[0])
}

function requiredConnection(catalog: Catalog, name: string): Connection {
  const found = catalog.connections.get(name)
  if (found === undefined) throw new Error(`there is no connection ${name}`)
  return found
}

/** The first connection of the path that has the relation: one that the caller may use, otherwise any. */
function firstWith(
  relation: string,
  { names, mayUse }: SearchPath,
  catalog: Catalog,
  exists: (connection: Connection, name: string) => boolean,
): string | undefined {
  const having = names.filter((name) => {
    const connection = catalog.connections.get(name)
    return connection !== undefined && exists(connection, relation)
  })
  const isUsable = (name: string) => {
    const connection = catalog.connections.get(name)
    return connection !== undefined && mayUse(connection, relation)
  }
  return having.find(isUsable) ?? having[0]
}

/**
 * The key of a table within `database`.
 *
 * @param exists is it a relation of the connection? Decides for a bare name; tables by default.
 * @throws {GatewayError} `badRequest` when it lacks the connection's name and there are several to choose from, or the
 *   search path does not have it.
 */
export function tableKeyIn(
  database: Connection,
  relation: RangeVar,
  catalog: Catalog,
  searchPath?: SearchPath,
  exists: (connection: Connection, name: string) => boolean = hasTable,
): string {
  const { connection, table } = tableAddress(relation, catalog)
  if (connection !== undefined) return keyOf(database, connection, table)
  const path =
    searchPath?.names ??
    (catalog.defaultConnection === undefined ? [] : [catalog.defaultConnection])
  const { mayUse } = searchPath ?? { mayUse: everyTable }
  const own = path.filter((name) => isIn(database, name, catalog))
  const found = firstWith(table, { names: own, mayUse }, catalog, exists)
  if (found !== undefined) return keyOf(database, found, table)
  const elsewhere = searchPath && usableElsewhere(table, searchPath, database, catalog)
  if (elsewhere !== undefined) {
    throw severalConnections(database.name, elsewhere, relation.location)
  }
  const [named] = own
  if (named !== undefined) return keyOf(database, named, table)
  if (searchPath !== undefined) {
    throw bindError(`relation "${table}" does not exist`, {
      sqlState: '42P01',
      position: relation.location,
    })
  }
  const [defaultConnection] = path
  if (defaultConnection !== undefined) {
    throw severalConnections(database.name, defaultConnection, relation.location)
  }
  throw bindError(`table "${table}" must be named with its connection: "<connection>"."${table}"`, {
    sqlState: '42P01',
    position: relation.location,
    hint: namingHint(table),
  })
}

/** The connection of another database in the path that has the table, if the caller may know. */
function usableElsewhere(
  table: string,
  { names, mayUse }: SearchPath,
  database: Connection,
  catalog: Catalog,
): string | undefined {
  return names.find((name) => {
    const connection = catalog.connections.get(name)
    if (connection === undefined || databaseOf(connection) === database) return false
    return hasTable(connection, table) && mayUse(connection, table)
  })
}

function isIn(database: Connection, name: string, catalog: Catalog): boolean {
  const connection = catalog.connections.get(name)
  return connection !== undefined && databaseOf(connection) === database
}

/** A name that is the key of another connection's table means no table. */
function keyOf(database: Connection, connection: string, table: string): string {
  const { members } = database
  const schema = members?.get(connection)
  if (schema === undefined) return table
  const key = keyIn(schema, table, members)
  const found = findTable(database, key)
  return found === undefined || found.connection === connection ? key : `${schema}.${table}`
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
