import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { missingPgbouncer, startPgbouncer } from '../src/postgres/pgbouncer-server.ts'
import { createDatabase, describePostgres } from '../src/vitest.ts'

const reason = missingPgbouncer()

describePostgres('a private PgBouncer', () => {
  describe.skipIf(reason !== undefined)(reason ?? 'in front of PostgreSQL', () => {
    test('passes statements on, and keeps a session together where that is asked for', async () => {
      const url = await createDatabase('pooled')
      const pooler = await startPgbouncer({ url, poolSize: 2 })
      try {
        const name = new URL(url).pathname.slice(1)
        expect(await ask(pooler.url, 'select current_database()')).toEqual([name])
        const [first, second] = await ask(
          pooler.sessionUrl,
          'select pg_backend_pid()',
          'select pg_backend_pid()',
        )
        expect(second).toBe(first)
      } finally {
        await pooler.stop()
      }
    })
  })
})

/** The single value that each statement returns. */
async function ask(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const values: unknown[] = []
    for (const sql of statements) {
      const { rows } = await client.query<object>(sql)
      values.push(...Object.values(rows[0] ?? {}))
    }
    return values
  } finally {
    await client.end()
  }
}
