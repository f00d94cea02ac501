import { readFileSync } from 'node:fs'
import { createDatabase } from '@engine/test-databases/vitest'
import pg from 'pg'

/** A database on PostgreSQL with the tables of apps/example-saas. @returns its URL. */
export async function createSaasDatabase(): Promise<string> {
  const url = await createDatabase('saas')
  const tables = new URL('../../../example-saas/server/tables.sql', import.meta.url)
  await query(url, readFileSync(tables, 'utf8'))
  return url
}

/** Runs SQL beside the engine. */
export async function query(url: string, sql: string): Promise<readonly object[]> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  const { rows } = await connection.query<object>(sql)
  await connection.end()
  return rows ?? []
}
