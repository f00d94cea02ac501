/** @module The tables of `information_schema` that the built-in catalog has. */
import type { PgType } from '@engine/core/catalog'
import { oids } from '@engine/core/values'
import type { BuiltinTable } from './evaluated.ts'
import { define, type VisibleObjects } from './visible-objects.ts'

const { int4, name, text } = oids

export function informationSchemaTables(objects: VisibleObjects): readonly BuiltinTable[] {
  return [schemata(objects), tables(objects), columns(objects)]
}

function schemata({ database, connections }: VisibleObjects): BuiltinTable {
  return define(
    'information_schema',
    'schemata',
    { catalog_name: name, schema_name: name, schema_owner: name },
    () => connections.map(({ name: schema }) => [database, schema, null]),
  )
}

function tables({ database, relations }: VisibleObjects): BuiltinTable {
  return define(
    'information_schema',
    'tables',
    { table_catalog: name, table_schema: name, table_name: name, table_type: text },
    () =>
      relations.map(({ connection, table, kind }) => [
        database,
        connection.name,
        table.name,
        kind === 'v' ? 'VIEW' : 'BASE TABLE',
      ]),
  )
}

function columns({ database, relations }: VisibleObjects): BuiltinTable {
  return define(
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
      relations.flatMap(({ connection: { name: schema, types }, table }) =>
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
  )
}

/** Names of types as `information_schema` has them. */
function dataType(type: PgType | undefined, formatted: string): string {
  if (type?.elementOid !== undefined) return 'ARRAY'
  return type === undefined || type.schema === undefined ? formatted : 'USER-DEFINED'
}
