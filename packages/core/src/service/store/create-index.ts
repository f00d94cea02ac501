import { type Kysely, sql } from 'kysely'
import type { StoreKind } from './store.ts'

export interface IndexDefinition {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly isUnique?: boolean
}

/**
 * Creates an index unless it exists: on MySQL a migration that was interrupted runs again from its beginning. (Tables have
 * `createTable().ifNotExists()`.)
 */
export async function createIndex(
  // biome-ignore lint/suspicious/noExplicitAny: a migration meets tables of every age
  database: Kysely<any>,
  kind: StoreKind,
  { name, table, columns, isUnique = false }: IndexDefinition,
): Promise<void> {
  if (kind === 'mysql' && (await existsOnMysql(database, name, table))) return
  const plain = database.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
  const index = isUnique ? plain.unique() : plain
  await (kind === 'mysql' ? index : index.ifNotExists()).execute()
}

async function existsOnMysql(
  database: Kysely<unknown>,
  name: string,
  table: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name} limit 1
  `.execute(database)
  return rows.length > 0
}
