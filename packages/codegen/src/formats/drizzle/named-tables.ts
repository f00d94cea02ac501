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

/** A table keeps its name; the connection precedes it where two connections have a table of that name. */
export function namedSchema(schema: SchemaDocument): NamedSchema {
  const names = createNameSpace([...reservedWords, ...inherited, ...imported])
  const connections = Object.keys(schema.connections)
    .sort()
    .map((name): [string, string] => [name, names.take(`${camelCase(name, 'connection')}Schema`)])
  const tables = tablesOf(schema)
  const counts = Map.groupBy(tables, ({ name }) => camelCase(name, 'table'))
  return {
    connections: new Map(connections),
    names,
    tables: tables.map((table) => {
      const bare = camelCase(table.name, 'table')
      const full = camelCase(`${table.connection} ${table.name}`, 'table')
      const isAlone = counts.get(bare)?.length === 1
      const constant = isAlone ? names.take(bare, full) : names.take(full)
      return { ...table, constant, columns: namedColumns(table) }
    }),
  }
}

function namedColumns({ columns }: Table): readonly NamedColumn[] {
  const keys = createNameSpace(['_', ...inherited])
  return columns.map((column) => {
    const key = camelCase(column.name, 'column')
    return { ...column, key: keys.take(key, `${key}Column`) }
  })
}
