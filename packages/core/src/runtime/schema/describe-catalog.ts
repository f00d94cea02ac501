/** @module The catalog in the form of `GET /schema`. */
import type {
  ColumnDescription,
  ConnectionDescription,
  RelationshipDescription,
  SchemaDocument,
  TableDescription,
} from '@engine/contract'
import type {
  Catalog,
  Column,
  Connection,
  Relationship,
  Table,
} from '../../compiler/catalog/catalog.ts'
import { addressOfKey, databaseOf } from '../../compiler/catalog/shared-database.ts'
import type { Oid } from '../../compiler/sql-types/oids.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { columnTypeName } from './column-type-name.ts'
import { columnValues } from './column-values.ts'

/**
 * Connections, tables and relations by name, columns in the order of their table: the same structure is the same text, in
 * whatever order databases list it.
 *
 * @param named addresses of tables that permissions name, `<connection>.<table>`: other partitions are left out.
 */
export function describeCatalog(
  { connections }: Catalog,
  named: ReadonlySet<string> = new Set(),
): SchemaDocument['connections'] {
  return byName(connections, (connection) => describeConnection(connection, named))
}

function describeConnection(
  connection: Connection,
  named: ReadonlySet<string>,
): ConnectionDescription {
  const { kind, name: own, partitions = new Map<string, Table>() } = connection
  const database = databaseOf(connection)
  const listed = [...partitions].filter(([name]) => named.has(`${own}.${name}`))
  const tables = new Map([...connection.tables, ...listed])
  return { type: kind, tables: byName(tables, (table) => describeTable(table, database)) }
}

function describeTable(table: Table, database: Connection): TableDescription {
  const { types } = database
  const columns = table.columns.map((column): [string, ColumnDescription] => [
    column.name,
    {
      type: columnTypeName(types, column.type),
      ...domainOf(types, column.type.oid),
      ...columnValues(types, column),
      nullable: column.nullable && !(table.kind === 'table' && isNotNull(types, column.type.oid)),
      hasDefault: column.hasDefault,
      primaryKey: table.primaryKey.includes(column.ordinal),
      ...makingOf(column),
      ...commentOf(column),
    },
  ])
  return {
    ...commentOf(table),
    columns: Object.fromEntries(columns),
    relationships: byName(table.relationships, (relation) => describe(relation, database)),
  }
}

function commentOf({ comment }: { readonly comment?: string | undefined }): {
  readonly comment?: string
} {
  return comment === undefined ? {} : { comment }
}

function domainOf(types: TypeSystem, oid: Oid): Pick<ColumnDescription, 'domain'> {
  const type = types.typeByOid(oid)
  return type?.baseOid === undefined ? {} : { domain: type.name }
}

/** How the database makes the column's values, where clients cannot freely choose them. */
function makingOf({
  generated,
  sequences = [],
}: Column): Pick<ColumnDescription, 'identity' | 'generated'> {
  if (generated === 'always') return { generated: true }
  if (generated === 'identity') return { identity: 'always' }
  return sequences.some(({ use }) => use === 'identity') ? { identity: 'byDefault' } : {}
}

/** True for a domain that refuses NULL; in a view over an outer join such a column can still be NULL. */
function isNotNull(types: TypeSystem, oid: Oid): boolean {
  const type = types.typeByOid(oid)
  if (type?.baseOid === undefined) return false
  return type.isNotNull === true || isNotNull(types, type.baseOid)
}

function describe(relation: Relationship, database: Connection): RelationshipDescription {
  const { connection, table } = addressOfKey(database, relation.table)
  return {
    table: `${connection}.${table}`,
    type: relation.type,
    from: oneOrMany(relation.from),
    to: oneOrMany(relation.to),
  }
}

function oneOrMany(columns: readonly string[]): string | readonly string[] {
  const [only, ...others] = columns
  return only !== undefined && others.length === 0 ? only : columns
}

/** Sorted by UTF-16 code units; own keys only, whatever their names. */
function byName<From, To>(
  items: ReadonlyMap<string, From>,
  describeItem: (item: From) => To,
): Readonly<Record<string, To>> {
  const names = [...items.keys()].sort()
  return Object.fromEntries(
    names.flatMap((name): [string, To][] => {
      const item = items.get(name)
      return item === undefined ? [] : [[name, describeItem(item)]]
    }),
  )
}
