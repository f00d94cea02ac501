/** @module A PostgreSQL database for the tests that every adapter of a server shares. */
import type { ServerDialect, ServerSubject } from '@engine/adapter-conformance'
import { oids } from '@engine/core/catalog'
import { createDatabase } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { postgresAdapter } from '../../src/index.ts'
import { statementOf } from './statements.ts'

export const postgresDialect: ServerDialect = {
  schema: 'public.',
  sleep: (seconds) => `pg_catalog.pg_sleep(${seconds})`,
  read: (sql, column) =>
    statementOf(sql, { columns: [column === 'sleep' ? oids.text : oids.int4] }),
  write: (sql) => statementOf(sql, { isWrite: true }),
  broken: { expression: '1 / 0', sqlState: '22012' },
  deadlock: '40P01',
}

/** @param statements that create its tables. */
export async function openPostgresServer(
  name: string,
  ...statements: readonly string[]
): Promise<ServerSubject> {
  const url = await createDatabase(name)
  const client = new Client({ connectionString: url })
  await client.connect()
  const run = async (...texts: readonly string[]) => {
    for (const sql of texts) await client.query(sql)
  }
  const sessions = async (condition: string, ...values: readonly string[]) => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      [...values],
    )
    return rowCount ?? 0
  }
  await run(...statements)
  return {
    openAdapter: (options) => postgresAdapter({ url, ...options }),
    run,
    rows: async (sql) => (await client.query(sql)).rows,
    running: (text) => sessions(`state = 'active' and strpos(query, $1) > 0`, text),
    inTransaction: () => sessions(`state like '%in transaction%'`),
    close: () => client.end(),
  }
}
