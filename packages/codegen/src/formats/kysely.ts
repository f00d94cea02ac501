/** @module Types for Kysely: `new Kysely<Database>`, whose tables are `<connection>.<table>`; see `addressOf`. */
import type { SchemaDocument } from '@engine/contract'
import { jsonType, readType, usesJson, writtenType } from '../columns/column-types.ts'
import { columnComment, tableComment } from '../columns/doc-comment.ts'
import { setType, usesSets } from '../columns/listed-type.ts'
import { type Column, isWritable, type Table, tablesOf } from '../columns/table-list.ts'
import { literal, propertyName } from '../names/literal.ts'
import { createNameSpace } from '../names/name-space.ts'
import { actionTypes, shapedActions } from './action-types.ts'
import { fileText } from './file-text.ts'
import { tableTypeName } from './types.ts'

const ownNames = [
  'Json',
  'SetOf',
  'Database',
  'Actions',
  'Record',
  'Date',
  'Uint8Array',
  'ColumnType',
  'Generated',
  'GeneratedAlways',
]

/** Types that Kysely's dialects for the engine convert to JSON themselves. */
const convertible = { bigint: 'bigint', bytes: 'Uint8Array' } as const

export function kyselyFile(schema: SchemaDocument): string {
  const names = createNameSpace(ownNames)
  const tables = tablesOf(schema).map((table) => ({ table, typeName: tableTypeName(table, names) }))
  const columns = tables.flatMap(({ table }) => table.columns)
  const interfaces = tables.map(({ table, typeName }) => tableInterface(table, typeName))
  const imported = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) =>
    interfaces.some((text) => text.includes(`: ${name}<`)),
  )
  return fileText([
    imported.length === 0 ? undefined : `import type { ${imported.join(', ')} } from 'kysely'`,
    usesJson(columns) ? jsonType : undefined,
    usesSets(columns) ? setType : undefined,
    ...interfaces,
    databaseInterface(tables, Object.keys(schema.connections).length === 1),
    actionTypes(shapedActions(schema, names)),
  ])
}

function tableInterface(table: Table, typeName: string): string {
  return [
    tableComment(table),
    `export interface ${typeName} {`,
    ...table.columns.flatMap((column) => [
      ...columnComment(column, '  '),
      `  ${propertyName(column.name)}: ${columnType(column)}`,
    ]),
    '}',
  ].join('\n')
}

/** The type for reading; also the types for writing, where these differ or the column cannot be written. */
function columnType(column: Column): string {
  const { kind } = column.type
  const more = kind === 'bigint' || kind === 'bytes' ? convertible[kind] : undefined
  const read = readType(column)
  if (!isWritable(column)) return `GeneratedAlways<${read}>`
  const written = writtenType(column, more)
  if (read === written) return column.hasDefault ? `Generated<${read}>` : read
  const inserted = column.hasDefault ? `${written} | undefined` : written
  return `ColumnType<${read}, ${inserted}, ${written}>`
}

function databaseInterface(
  tables: readonly { readonly table: Table; readonly typeName: string }[],
  isOnly: boolean,
): string {
  return [
    '/** Every table, by the name under which statements address it. */',
    'export interface Database {',
    ...tables.map(({ table, typeName }) => `  ${literal(addressOf(table, isOnly))}: ${typeName}`),
    '}',
  ].join('\n')
}

/**
 * Kysely divides a name at its first dot: `main.auth.users` would be the table `auth`. `auth.users` is a table of the only
 * connection, in its schema `auth`.
 */
function addressOf({ path, name }: Table, isOnly: boolean): string {
  return isOnly && name.split('.').length === 2 ? name : path
}
