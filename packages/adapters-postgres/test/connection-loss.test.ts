import { type LossSubject, serverConnectionLoss } from '@engine/adapter-conformance'
import { startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { postgresAdapter } from '../src/index.ts'
import { postgresDialect } from './support/server.ts'

async function openServer(): Promise<LossSubject> {
  const server = await startPostgres({ settings: { max_connections: '20' } })
  const withClient = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
  const rows = (sql: string, ...values: readonly string[]) =>
    withClient(async (client) => (await client.query(sql, [...values])).rows)
  const run = (...statements: readonly string[]) =>
    withClient(async (client) => {
      for (const sql of statements) await client.query(sql)
    })
  await run(
    'create table counters (id int primary key, n int)',
    'insert into counters values (1, 0)',
  )
  return {
    openAdapter: (options) => postgresAdapter({ url: server.url, ...options }),
    run,
    rows,
    running: async (text) =>
      (
        await rows(
          `select pid from pg_stat_activity
           where strpos(query, $1) > 0 and state = 'active' and pid <> pg_backend_pid()`,
          text,
        )
      ).length,
    inTransaction: async () =>
      (await rows("select pid from pg_stat_activity where state like '%in transaction%'")).length,
    slowWrite: (seconds) =>
      postgresDialect.write(
        `update public.counters set n = n + 1 from ${postgresDialect.sleep(seconds)}`,
      ),
    terminate: () =>
      run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'engine'`,
      ),
    restart: server.restart,
    kill: server.kill,
    close: server.stop,
  }
}

describePostgres('a database that comes and goes', () => {
  serverConnectionLoss(postgresDialect, openServer)
})
