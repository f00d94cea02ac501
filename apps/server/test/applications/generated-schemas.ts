/** @module The Drizzle schema of one application, generated and imported, in both versions of Drizzle. */
import type { SchemaDocument } from '@engine/contract'
import type { Application } from '@engine/fixtures'
import { createTableRelationsHelpers, extractTablesRelationalConfig } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { getTableColumns, getTableName, type Table as NextTableObject } from 'drizzle-orm-v1'
import { nodePgCodecs } from 'drizzle-orm-v1/node-postgres/codecs'
import { drizzle as drizzleNext } from 'drizzle-orm-v1/pg-proxy'
import { generatedModule } from '../support/generated-module.ts'

type Send = (
  sql: string,
  params: readonly unknown[],
  method: string,
) => Promise<{ rows: unknown[] }>

export type LinkedRow = Readonly<Record<string, unknown>>

/** A table as a program uses it through Drizzle. */
export interface GeneratedTable {
  /** Its name in `db.query`. */
  readonly key: string
  /** Names of its relations. */
  readonly relations: readonly string[]
  /** Names of its columns by their names in the database. */
  readonly columns: ReadonlyMap<string, string>
  /** All rows with the rows of one relation. */
  rowsWith(relation: string): Promise<readonly LinkedRow[]>
}

interface Query {
  findMany(options: object): Promise<readonly LinkedRow[]>
}

interface Column {
  readonly name: string
}

/** The tables of an application by their names in the database. */
export async function generatedTables(
  schema: SchemaDocument,
  application: Application,
  drizzleVersion: 0 | 1,
  send: Send,
): Promise<ReadonlyMap<string, GeneratedTable>> {
  const options = { format: 'drizzle', drizzleVersion, connections: [application] } as const
  const module = await generatedModule(schema, options)
  return drizzleVersion === 0 ? ofVersion0(module, send) : ofVersion1(module, send)
}

function ofVersion0(
  schema: Readonly<Record<string, unknown>>,
  send: Send,
): ReadonlyMap<string, GeneratedTable> {
  const { tables } = extractTablesRelationalConfig(schema, createTableRelationsHelpers)
  const queries = drizzle(send, { schema }).query as unknown as Readonly<Record<string, Query>>
  return new Map(
    Object.values(tables).map(({ tsName, dbName, columns, relations }) => [
      dbName,
      generatedTable(tsName, columns, Object.keys(relations), queries),
    ]),
  )
}

interface NextTable {
  readonly table: NextTableObject
  readonly relations: Readonly<Record<string, unknown>>
}

function ofVersion1(
  module: Readonly<Record<string, unknown>>,
  send: Send,
): ReadonlyMap<string, GeneratedTable> {
  const relations = module['relations'] as Readonly<Record<string, NextTable>>
  const options = { relations, codecs: nodePgCodecs } as unknown as Parameters<
    typeof drizzleNext
  >[1]
  const queries = drizzleNext(send, options).query as unknown as Readonly<Record<string, Query>>
  return new Map(
    Object.entries(relations).map(([key, { table, relations: own }]) => [
      getTableName(table),
      generatedTable(key, getTableColumns(table), Object.keys(own), queries),
    ]),
  )
}

function generatedTable(
  key: string,
  columns: Readonly<Record<string, Column>>,
  relations: readonly string[],
  queries: Readonly<Record<string, Query>>,
): GeneratedTable {
  const query = queries[key]
  if (query === undefined) throw new Error(`Drizzle has no table ${key}`)
  return {
    key,
    relations,
    columns: new Map(Object.entries(columns).map(([name, column]) => [column.name, name])),
    rowsWith: (relation) => query.findMany({ with: { [relation]: true } }),
  }
}

/** A program that asks for all relations of all tables: it compiles when each relation has a type. */
export function usageOf(tables: Iterable<GeneratedTable>, drizzleVersion: 0 | 1): string {
  const orm = drizzleVersion === 0 ? 'drizzle-orm' : 'drizzle-orm-v1'
  const given = drizzleVersion === 0 ? '{ schema }' : '{ relations: schema.relations }'
  const queries = [...tables].map(({ key, relations }) => {
    const all = relations.map((relation) => `${relation}: true`).join(', ')
    const options = relations.length === 0 ? '' : `{ with: { ${all} } }`
    return `await db.query.${key}.findMany(${options}),`
  })
  return [
    `import { drizzle } from '${orm}/pg-proxy'`,
    `import * as schema from './schema.ts'`,
    `const db = drizzle(async () => ({ rows: [] }), ${given})`,
    'export const answers = [',
    ...queries,
    ']',
  ].join('\n')
}
