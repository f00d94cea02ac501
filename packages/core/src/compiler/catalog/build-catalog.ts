import type { DatabaseKind } from '@engine/contract'
import { citextAdditions } from '../sql-types/system/citext.ts'
import { createTypeSystem } from '../sql-types/system/type-system.ts'
import type { Catalog, Column, Connection, ForeignKey, Table } from './catalog.ts'
import { type CompleteTable, completeTable } from './complete-introspection.ts'
import { type DatabaseTraits, knownTraits } from './database-traits.ts'
import type { Introspection } from './introspection.ts'
import { partitionsOf } from './partitions.ts'
import type { RelationshipConfig } from './relationship-config.ts'
import { relationshipsOf } from './relationships.ts'

/** One connection as introspection found it. */
export interface IntrospectedConnection {
  readonly name: string
  readonly kind: DatabaseKind
  readonly traits?: DatabaseTraits | undefined
  /** See `Connection.schemas`. */
  readonly schemas?: readonly string[] | undefined
  /** See `Connection.members`. */
  readonly members?: ReadonlyMap<string, string> | undefined
  readonly introspection: Introspection
  /** Relations renamed or added in the configuration: by table, then by relation. */
  readonly relationships: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>
}

/** Receives the faults of configured relationships. */
export type OnFault = (path: string, message: string) => void

/**
 * Combines the introspections of all connections.
 *
 * @param defaultConnection the only connection by default.
 */
export function buildCatalog(
  connections: readonly IntrospectedConnection[],
  version: number,
  onFault: OnFault,
  defaultConnection: string | undefined = onlyName(connections),
): Catalog {
  return {
    version,
    defaultConnection,
    connections: new Map(
      connections
        .flatMap((connection) => namedConnections(buildConnection(connection, onFault)))
        .map((connection) => [connection.name, connection]),
    ),
  }
}

function onlyName([only, ...others]: readonly IntrospectedConnection[]): string | undefined {
  return others.length > 0 || only?.members !== undefined ? undefined : only?.name
}

/** A connection for each name, with the tables that it shows. */
function namedConnections(database: Connection): readonly Connection[] {
  const { members, tables, partitions } = database
  if (members === undefined) return [database]
  return [...members.keys()].map((name) => ({
    ...database,
    name,
    members: undefined,
    shared: database,
    tables: tablesOf(name, tables),
    partitions: partitions && tablesOf(name, partitions),
  }))
}

function tablesOf(
  connection: string,
  tables: ReadonlyMap<string, Table>,
): ReadonlyMap<string, Table> {
  const own = [...tables.values()].filter((table) => table.connection === connection)
  return new Map(own.map((table) => [table.name, table]))
}

function buildConnection(
  { name, kind, traits, schemas, members, introspection, relationships }: IntrospectedConnection,
  onFault: OnFault,
): Connection {
  const { types: ownTypes = [], schemaVersion } = introspection
  const known = knownTraits(traits)
  const types = createTypeSystem({
    types: ownTypes,
    ...citextAdditions(ownTypes),
    arrayBounds: known.arrayBounds,
    numericExponents: known.numericExponents,
  })
  const introspected = introspection.tables.map((table) => completeTable(table, types))
  const relations = relationshipsOf(
    { name, members },
    introspected,
    relationships,
    (path, message) => onFault(`connections.${name}.relationships.${path}`, message),
  )
  const tables = new Map(
    introspected.map((table): [string, Table] => [
      table.name,
      {
        ...buildTable({ name, members }, table),
        relationships: relations.get(table.name) ?? new Map(),
      },
    ]),
  )
  return {
    name,
    kind,
    traits: known,
    schemas: members === undefined ? schemas : undefined,
    members,
    types,
    tables,
    sequences: introspection.sequences,
    partitions: partitionsOf(introspection.partitions ?? [], tables, members),
    schemaVersion,
  }
}

function buildTable(
  connection: Pick<Connection, 'name' | 'members'>,
  table: CompleteTable,
): Omit<Table, 'relationships'> {
  const { nativeName = table.name } = table
  const member = [...(connection.members ?? [])].find(([, schema]) => schema === table.schema)
  const ordinals = new Map(table.columns.map((column, ordinal) => [column.name, ordinal]))
  const ordinalsOf = (names: readonly string[]): readonly number[] =>
    names.map((name) => {
      const ordinal = ordinals.get(name)
      if (ordinal === undefined)
        throw new Error(`${table.name} has a key on a missing column ${name}`)
      return ordinal
    })
  return {
    connection: member?.[0] ?? connection.name,
    name: member === undefined ? table.name : nativeName,
    key: table.name,
    kind: table.kind,
    hasRowSecurity: table.hasRowSecurity,
    oids: table.oids,
    comment: table.comment,
    native: { schema: table.schema, name: nativeName },
    columns: table.columns.map((column, ordinal): Column => ({ ...column, ordinal })),
    primaryKey: ordinalsOf(table.primaryKey),
    uniqueKeys: table.uniqueKeys.map(ordinalsOf),
    triggerColumns: triggerColumnsOf(table, ordinalsOf),
    viewWrites: table.viewWrites && {
      ...table.viewWrites,
      keys: table.viewWrites.keys.map(ordinalsOf),
      columns: new Map(
        table.columns.flatMap(({ name }, ordinal): readonly (readonly [number, string])[] => {
          const cell = table.viewWrites?.columns.get(name)
          return cell === undefined ? [] : [[ordinal, cell]]
        }),
      ),
    },
    ruledWrites: table.ruledWrites,
    definition: table.definition,
    hasPlainInserts: table.hasPlainInserts,
    rowKeys: table.rowKeys?.map(ordinalsOf),
    keyConstraints:
      table.keyConstraints &&
      new Map(table.keyConstraints.map((key) => [key.name, ordinalsOf(key.columns)])),
    oid: table.oid,
    family: table.family,
    uniqueIndexes: table.uniqueIndexes,
    foreignKeys: table.foreignKeys.map(
      (key): ForeignKey => ({ ...key, columns: ordinalsOf(key.columns) }),
    ),
    checks: table.checks?.map((check) => ({ ...check, columns: ordinalsOf(check.columns) })),
    indexes: table.indexes?.map((index) => ({ ...index, columns: ordinalsOf(index.columns) })),
  }
}

function triggerColumnsOf(
  { triggerColumns, columns }: CompleteTable,
  ordinalsOf: (names: readonly string[]) => readonly number[],
): ReadonlySet<number> | undefined {
  if (triggerColumns === undefined) return undefined
  return new Set(triggerColumns === 'all' ? columns.keys() : ordinalsOf(triggerColumns))
}
