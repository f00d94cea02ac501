/** @module The system tables of the built-in catalog, filled with the objects that the caller may see. */
import { createTypeSystem, type PgType, type VisibleCatalog } from '@engine/core/server'
import { oids } from '@engine/core/values'
import { catalogNumbers } from '../catalog-numbers.ts'
import { mirrorTypeName } from '../mirror/mirror-types.ts'
import { ownTypes } from '../own-types.ts'
import type { BuiltinTable, Cell, Row } from './evaluated.ts'

const { int2, int4, name, oid, bool, text, char, float4 } = oids

const catalogSchemaOid = '11'
const ownerOid = '10'

/** PostgreSQL assigns OIDs to user objects from this number on. */
const firstOwnOid = 16_384

const systemTypes: readonly PgType[] = (() => {
  const types = createTypeSystem()
  return Array.from({ length: 12_000 }, (_, number) => types.typeByOid(number) ?? []).flat()
})()

/** Every table that a query may name. */
export function builtinTables(visible: VisibleCatalog, database: string): readonly BuiltinTable[] {
  const numbers = catalogNumbers(visible)
  const { typeOid } = numbers
  const schemaOid = new Map(
    visible.connections.map(({ name: schema }, place) => [schema, String(firstOwnOid + place)]),
  )
  const tables = visible.connections.flatMap((connection) =>
    connection.tables.map((table) => ({
      connection,
      table,
      oid: String(numbers.tableNumbers(connection.name, table.name).oid),
      kind: table.kind === 'view' ? 'v' : 'r',
    })),
  )
  return [
    define('pg_catalog', 'pg_namespace', { oid, nspname: name, nspowner: oid }, () => [
      [catalogSchemaOid, 'pg_catalog', ownerOid],
      ...[...schemaOid].map(([schema, number]) => [number, schema, ownerOid]),
    ]),
    define('pg_catalog', 'pg_database', { oid, datname: name, datdba: oid }, () => [
      ['5', database, ownerOid],
    ]),
    define(
      'pg_catalog',
      'pg_class',
      { oid, relname: name, relnamespace: oid, relowner: oid, relkind: char },
      () =>
        tables.map(({ connection, table, oid: number, kind }) => [
          number,
          table.name,
          schemaOid.get(connection.name) ?? '0',
          ownerOid,
          kind,
        ]),
    ),
    define(
      'pg_catalog',
      'pg_attribute',
      {
        attrelid: oid,
        attname: name,
        atttypid: oid,
        attnum: int2,
        atttypmod: int4,
        attnotnull: bool,
        atthasdef: bool,
        attisdropped: bool,
      },
      () =>
        tables.flatMap(({ connection, table, oid: number }) =>
          table.columns.map(({ column }, place) => [
            number,
            column.name,
            String(typeOid(connection.name, column.type.oid)),
            String(place + 1),
            String(column.type.typmod),
            flag(!column.nullable),
            flag(column.hasDefault),
            'f',
          ]),
        ),
    ),
    define(
      'pg_catalog',
      'pg_type',
      {
        oid,
        typname: name,
        typnamespace: oid,
        typowner: oid,
        typtype: char,
        typcategory: char,
        typispreferred: bool,
        typdelim: char,
        typrelid: oid,
        typelem: oid,
        typarray: oid,
        typbasetype: oid,
        typtypmod: int4,
        typnotnull: bool,
      },
      () => [
        ...systemTypes.map((type) => typeRow(type, String(type.oid), catalogSchemaOid, '')),
        ...visible.connections.flatMap((connection) =>
          ownTypes(connection).flatMap((type) => {
            const found = numbers.typeNumbers(connection.name, type)
            const schema = schemaOid.get(connection.name) ?? '0'
            const base =
              type.baseOid === undefined ? '0' : String(typeOid(connection.name, type.baseOid))
            const arrayOid = String(found.arrayOid)
            const named = { ...type, name: mirrorTypeName(connection, type) }
            return [
              typeRow({ ...named, arrayOid: found.arrayOid }, String(found.oid), schema, base),
              typeRow(arrayType(named, found.oid), arrayOid, schema, ''),
            ]
          }),
        ),
      ],
    ),
    define(
      'pg_catalog',
      'pg_enum',
      { enumtypid: oid, enumsortorder: float4, enumlabel: name },
      () =>
        visible.connections.flatMap((connection) =>
          ownTypes(connection).flatMap((type) =>
            (type.enumLabels ?? []).map((label, place) => [
              String(typeOid(connection.name, type.oid)),
              String(type.enumSortOrders?.[place] ?? place + 1),
              label,
            ]),
          ),
        ),
    ),
    define(
      'information_schema',
      'schemata',
      { catalog_name: name, schema_name: name, schema_owner: name },
      () => visible.connections.map(({ name: schema }) => [database, schema, null]),
    ),
    define(
      'information_schema',
      'tables',
      { table_catalog: name, table_schema: name, table_name: name, table_type: text },
      () =>
        tables.map(({ connection, table, kind }) => [
          database,
          connection.name,
          table.name,
          kind === 'v' ? 'VIEW' : 'BASE TABLE',
        ]),
    ),
    define(
      'information_schema',
      'columns',
      {
        table_catalog: name,
        table_schema: name,
        table_name: name,
        column_name: name,
        ordinal_position: int4,
        is_nullable: text,
        data_type: text,
        udt_name: name,
      },
      () =>
        tables.flatMap(({ connection: { name: schema, types }, table }) =>
          table.columns.map(({ column }, place) => [
            database,
            schema,
            table.name,
            column.name,
            String(place + 1),
            column.nullable ? 'YES' : 'NO',
            dataType(types.typeByOid(column.type.oid), types.formatType(column.type.oid)),
            types.typeByOid(column.type.oid)?.name ?? 'text',
          ]),
        ),
    ),
  ]
}

function define(
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

function typeRow(type: PgType, number: string, schema: string, base: string): readonly Cell[] {
  return [
    number,
    type.name,
    schema,
    ownerOid,
    letterOf(type),
    type.category,
    flag(type.isPreferred),
    type.delimiter ?? ',',
    '0',
    String(type.elementOid ?? 0),
    String(type.arrayOid ?? 0),
    base === '' ? '0' : base,
    String(type.baseTypmod ?? -1),
    flag(type.isNotNull === true),
  ]
}

function arrayType({ oid: number, name: element }: PgType, elementOid: number): PgType {
  return {
    oid: number,
    name: `_${element}`,
    elementOid,
    kind: 'base',
    category: 'A',
    isCollatable: false,
    isNameable: true,
    isPreferred: false,
  }
}

function letterOf({ kind }: PgType): string {
  return letters[kind]
}

/** `pg_type.typtype` */
const letters: Readonly<Record<PgType['kind'], string>> = {
  base: 'b',
  composite: 'c',
  domain: 'd',
  enum: 'e',
  multirange: 'm',
  opaque: 'b',
  pseudo: 'p',
  range: 'r',
}

/** Names of types as `information_schema` has them. */
function dataType(type: PgType | undefined, formatted: string): string {
  if (type?.elementOid !== undefined) return 'ARRAY'
  return type === undefined || type.schema === undefined ? formatted : 'USER-DEFINED'
}

function flag(isSet: boolean): string {
  return isSet ? 't' : 'f'
}
