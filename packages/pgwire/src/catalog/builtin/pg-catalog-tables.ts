/** @module The tables of `pg_catalog` that the built-in catalog has. */
import { createTypeSystem, type PgType } from '@engine/core/catalog'
import { oids } from '@engine/core/values'
import { mirrorTypeName } from '../mirror/mirror-types.ts'
import { ownTypes } from '../own-types.ts'
import type { BuiltinTable, Cell } from './evaluated.ts'
import { define, flag, type VisibleObjects } from './visible-objects.ts'

const { int2, int4, name, oid, bool, char, float4 } = oids

const catalogSchemaOid = '11'
const ownerOid = '10'

const systemTypes: readonly PgType[] = (() => {
  const types = createTypeSystem()
  return Array.from({ length: 12_000 }, (_, number) => types.typeByOid(number) ?? []).flat()
})()

export function pgCatalogTables(objects: VisibleObjects): readonly BuiltinTable[] {
  return [
    namespaces(objects),
    databases(objects),
    classes(objects),
    attributes(objects),
    types(objects),
    enums(objects),
  ]
}

function namespaces({ schemaOid }: VisibleObjects): BuiltinTable {
  return define('pg_catalog', 'pg_namespace', { oid, nspname: name, nspowner: oid }, () => [
    [catalogSchemaOid, 'pg_catalog', ownerOid],
    ...[...schemaOid].map(([schema, number]) => [number, schema, ownerOid]),
  ])
}

function databases({ database }: VisibleObjects): BuiltinTable {
  return define('pg_catalog', 'pg_database', { oid, datname: name, datdba: oid }, () => [
    ['5', database, ownerOid],
  ])
}

function classes({ schemaOid, relations }: VisibleObjects): BuiltinTable {
  return define(
    'pg_catalog',
    'pg_class',
    { oid, relname: name, relnamespace: oid, relowner: oid, relkind: char },
    () =>
      relations.map(({ connection, table, oid: number, kind }) => [
        number,
        table.name,
        schemaOid.get(connection.name) ?? '0',
        ownerOid,
        kind,
      ]),
  )
}

function attributes({ numbers, relations }: VisibleObjects): BuiltinTable {
  return define(
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
      relations.flatMap(({ connection, table, oid: number }) =>
        table.columns.map(({ column }, place) => [
          number,
          column.name,
          String(numbers.typeOid(connection.name, column.type.oid)),
          String(place + 1),
          String(column.type.typmod),
          flag(!column.nullable),
          flag(column.hasDefault),
          'f',
        ]),
      ),
  )
}

function types({ connections, numbers, schemaOid }: VisibleObjects): BuiltinTable {
  return define(
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
      ...connections.flatMap((connection) =>
        ownTypes(connection).flatMap((type) => {
          const found = numbers.typeNumbers(connection.name, type)
          const schema = schemaOid.get(connection.name) ?? '0'
          const base =
            type.baseOid === undefined
              ? '0'
              : String(numbers.typeOid(connection.name, type.baseOid))
          const arrayOid = String(found.arrayOid)
          const named = { ...type, name: mirrorTypeName(connection, type) }
          return [
            typeRow({ ...named, arrayOid: found.arrayOid }, String(found.oid), schema, base),
            typeRow(arrayType(named, found.oid), arrayOid, schema, ''),
          ]
        }),
      ),
    ],
  )
}

function enums({ connections, numbers }: VisibleObjects): BuiltinTable {
  return define(
    'pg_catalog',
    'pg_enum',
    { enumtypid: oid, enumsortorder: float4, enumlabel: name },
    () =>
      connections.flatMap((connection) =>
        ownTypes(connection).flatMap((type) =>
          (type.enumLabels ?? []).map((label, place) => [
            String(numbers.typeOid(connection.name, type.oid)),
            String(type.enumSortOrders?.[place] ?? place + 1),
            label,
          ]),
        ),
      ),
  )
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
