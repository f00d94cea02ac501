/** @module The schema with which `definePermissions` of `@engine/core` checks names, operators and values. */
import type { SchemaDocument } from '@engine/contract'
import type { ColumnType } from '../columns/column-type.ts'
import { columnComment, tableComment } from '../columns/doc-comment.ts'
import { listedType, setMembers } from '../columns/listed-type.ts'
import { type Column, type Table, tablesOf } from '../columns/table-list.ts'
import { literal, propertyName } from '../names/literal.ts'
import { fileText } from './file-text.ts'

export function permissionsFile(schema: SchemaDocument): string {
  const tables = tablesOf(schema)
  return fileText([
    [
      '/** Every table with the types of its columns and its relations, for `definePermissions<Schema>`. */',
      tables.length === 0
        ? 'export type Schema = Record<never, never>'
        : ['export interface Schema {', ...tables.map(tableShape), '}'].join('\n'),
    ].join('\n'),
  ])
}

function tableShape(table: Table): string {
  const { path, columns, relationships } = table
  return [
    `  ${tableComment(table)}`,
    `  ${literal(path)}: {`,
    ...block(
      'columns',
      columns.flatMap((column) => [
        ...columnComment(column, ''),
        `${propertyName(column.name)}: ${columnShape(column)}`,
      ]),
    ),
    ...block(
      'relations',
      relationships.map(
        ({ name, table: far, type }) =>
          `${propertyName(name)}: { table: ${literal(far)}; many: ${type.endsWith('-to-many')} }`,
      ),
    ),
    '  }',
  ].join('\n')
}

function block(name: string, members: readonly string[]): readonly string[] {
  return members.length === 0
    ? [`    ${name}: Record<never, never>`]
    : [`    ${name}: {`, ...members.map((member) => `      ${member}`), '    }']
}

/** `'text'`, or `{ type: 'text'; values: 'new' | 'paid' }` */
function columnShape(column: Column): string {
  const type = literal(typeName(column.type))
  const values = setMembers(column) === undefined ? listedType(column) : undefined
  return values === undefined ? type : `{ type: ${type}; values: ${values} }`
}

/** PostgreSQL's name of a type, without modifiers. */
function typeName({ name, isArray }: ColumnType): string {
  return isArray ? `${name}[]` : name
}
