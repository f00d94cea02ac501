/** @module The types file: one type for each table and for its new rows, one type for each action. */
import type { SchemaDocument } from '@engine/contract'
import { jsonType, readType, usesJson, writtenType } from '../columns/column-types.ts'
import { columnComment, tableComment } from '../columns/doc-comment.ts'
import { setType, usesSets } from '../columns/listed-type.ts'
import { isOptional, isWritable, type Table, tablesOf } from '../columns/table-list.ts'
import { pascalCase } from '../names/identifier.ts'
import { literal, propertyName } from '../names/literal.ts'
import { createNameSpace, type NameSpace } from '../names/name-space.ts'
import { actionTypes, shapedActions } from './action-types.ts'
import { fileText } from './file-text.ts'

/** Names that the file declares itself, or uses from TypeScript. */
const ownNames = ['Json', 'SetOf', 'Tables', 'Actions', 'Record', 'Date']

export function typesFile(schema: SchemaDocument): string {
  const names = createNameSpace(ownNames)
  const tables = tablesOf(schema).map((table) => ({ table, typeName: tableTypeName(table, names) }))
  const columns = tables.flatMap(({ table }) => table.columns)
  return fileText([
    usesJson(columns) ? jsonType : undefined,
    usesSets(columns) ? setType : undefined,
    ...tables.map(({ table, typeName }) => tableTypes(table, typeName)),
    tableMap(tables),
    actionTypes(shapedActions(schema, names)),
  ])
}

/** `MainOrderItems`: the connection is always part of the name, so that other tables never change it. */
export function tableTypeName({ connection, name }: Table, names: NameSpace): string {
  return names.takeWith(
    `${pascalCase(connection, 'Connection')}${pascalCase(name, 'Table')}`,
    'Insert',
  )
}

function tableTypes(table: Table, typeName: string): string {
  const { columns } = table
  const read = columns.flatMap((column) => [
    ...columnComment(column, '  '),
    `  ${propertyName(column.name)}: ${readType(column)}`,
  ])
  const written = columns.filter(isWritable).flatMap((column) => {
    const mark = isOptional(column) ? '?' : ''
    return [
      ...columnComment(column, '  '),
      `  ${propertyName(column.name)}${mark}: ${writtenType(column)}`,
    ]
  })
  return [
    tableComment(table, 'A row of '),
    `export interface ${typeName} {`,
    ...read,
    '}',
    '',
    tableComment(table, 'A new row of '),
    `export interface ${typeName}Insert {`,
    ...written,
    '}',
  ].join('\n')
}

function tableMap(tables: readonly { readonly table: Table; readonly typeName: string }[]): string {
  return [
    '/** Rows that are read and rows that are made, by table. */',
    'export interface Tables {',
    ...tables.map(
      ({ table: { path }, typeName }) =>
        `  ${literal(path)}: { row: ${typeName}; insert: ${typeName}Insert }`,
    ),
    '}',
  ].join('\n')
}
