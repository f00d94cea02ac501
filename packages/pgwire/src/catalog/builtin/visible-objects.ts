/** @module The objects that a caller may see, and the tables that list them. */
import type { VisibleCatalog } from '@engine/core/session'
import { type CatalogNumbers, catalogNumbers } from '../catalog-numbers.ts'
import type { BuiltinTable, Row } from './evaluated.ts'

/** PostgreSQL assigns OIDs to user objects from this number on. */
const firstOwnOid = 16_384

/** The objects that the caller may see, with their numbers. */
export interface VisibleObjects {
  readonly database: string
  readonly connections: VisibleCatalog['connections']
  readonly numbers: CatalogNumbers
  /** OIDs of schemas by name. */
  readonly schemaOid: ReadonlyMap<string, string>
  readonly relations: readonly VisibleRelation[]
}

interface VisibleRelation {
  readonly connection: VisibleConnection
  readonly table: VisibleConnection['tables'][number]
  readonly oid: string
  /** `pg_class.relkind` */
  readonly kind: 'v' | 'r'
}

type VisibleConnection = VisibleCatalog['connections'][number]

export function objectsOf(visible: VisibleCatalog, database: string): VisibleObjects {
  const { connections } = visible
  const numbers = catalogNumbers(visible)
  const schemaOid = new Map(
    connections.map(({ name: schema }, place) => [schema, String(firstOwnOid + place)]),
  )
  const relations = connections.flatMap((connection) =>
    connection.tables.map(
      (table): VisibleRelation => ({
        connection,
        table,
        oid: String(numbers.tableNumbers(connection.name, table.name).oid),
        kind: table.kind === 'view' ? 'v' : 'r',
      }),
    ),
  )
  return { database, connections, numbers, schemaOid, relations }
}

export function define(
  schema: string,
  tableName: string,
  columns: Readonly<Record<string, number>>,
  rows: () => readonly Row[],
): BuiltinTable {
  return {
    schema,
    name: tableName,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, oid: type })),
    rows,
  }
}

/** A truth value as text. */
export function flag(isSet: boolean): string {
  return isSet ? 't' : 'f'
}
