/** @module Tables and columns with their names in a Drizzle schema. */
import type { SchemaDocument } from '@engine/contract'
import { type Column, type Table, tablesOf } from '../../columns/table-list.ts'
import { camelCase } from '../../names/identifier.ts'
import { createNameSpace, type NameSpace } from '../../names/name-space.ts'
import { reservedWords } from '../../names/reserved-words.ts'
import { builders } from './column-builder.ts'

export interface NamedTable extends Table {
  /** Name of the exported table. */
  readonly constant: string
  readonly columns: readonly NamedColumn[]
}

export interface NamedColumn extends Column {
  /** Name of the column in the table's object. */
  readonly key: string
}

export interface NamedSchema {
  /** Constants of `pgSchema`, by connection. */
  readonly connections: ReadonlyMap<string, string>
  readonly tables: readonly NamedTable[]
  /** Other names that the file declares. */
  readonly names: NameSpace
}

/** Properties that all objects have: a table or column with such a name would be mistaken for it, or hide it. */
const inherited = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'one',
  'many',
  'getSQL',
  'shouldOmitSQLParens',
  'enableRLS',
]

const imported = ['sql', 'relations', 'defineRelations', 'bytea', ...builders]

/**
 * The connection is part of each name, so that a further connection never changes one; not so in a file for one chosen
 * connection, whose tables keep their own names. Exported names come first: those of connections are not exported.
 */
export function namedSchema(schema: SchemaDocument, isOfOneConnection: boolean): NamedSchema {
  const names = createNameSpace([...reservedWords, ...inherited, ...imported])
  const tables = tablesOf(schema).map((table) => {
    const bare = camelCase(table.name, 'table')
    const full = camelCase(`${table.connection} ${table.name}`, 'table')
    const constant = isOfOneConnection ? names.take(bare, full) : names.take(full)
    return { ...table, constant, columns: namedColumns(table) }
  })
  const connections = Object.keys(schema.connections)
    .sort()
    .map((name): [string, string] => [name, names.take(`${camelCase(name, 'connection')}Schema`)])
  return { connections: new Map(connections), names, tables }
}

function namedColumns({ columns }: Table): readonly NamedColumn[] {
  const keys = createNameSpace(['_', ...inherited])
  return columns.map((column) => {
    const key = camelCase(column.name, 'column')
    return { ...column, key: keys.take(key, `${key}Column`) }
  })
}
