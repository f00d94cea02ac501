/** A backend that looks neither at its time limit nor at its connection, as while it plans: here it is stopped. */
import process from 'node:process'
import { oids } from '@engine/core/catalog'
import { type PostgresServer, startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

/** The same for all: the server is told once. */
const timeoutMs = 1_000
const patience = { timeout: 60_000, interval: 50 }

describePostgres('a connection that was given up', () => {
  let server: PostgresServer
  let client: Client
  beforeAll(async () => {
    server = await startPostgres()
    client = new Client({ connectionString: server.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await server?.stop()
  })

  test('counts as busy until its work has ended', { timeout: 120_000 }, async () => {
    const adapter = postgresAdapter({ url: server.url, pool: { max: 1 } })
    const pid = statementOf('select pg_catalog.pg_backend_pid()', { columns: [oids.int4] })
    const ask = async () =>
      Number(
        /\d+/.exec(String((await adapter.execute(executionOf(pid, [], { timeoutMs }))).rows))?.[0],
      )
    const backends = async (of: number) =>
      (await client.query('select from pg_stat_activity where pid = $1', [of])).rowCount
    const stopped = await ask()
    process.kill(stopped, 'SIGSTOP')
    try {
      const late = adapter.execute(executionOf(pid, [], { timeoutMs }))
      await expect(late).rejects.toMatchObject({ problem: 'queryTimeout' })
      expect(adapter.poolState?.()).toMatchObject({ busy: 1, givenUp: 1 })
      const next = ask()
      await vi.waitFor(() => expect(adapter.poolState?.().waiting).toBe(1), patience)
      expect(await backends(stopped)).toBe(1)

      process.kill(stopped, 'SIGCONT')
      expect(await next).not.toBe(stopped)
      await vi.waitFor(async () => expect(await backends(stopped)).toBe(0), patience)
      expect(adapter.poolState?.()).toMatchObject({ givenUp: 0, waiting: 0 })
    } finally {
      resume(stopped)
      await adapter.close()
    }
  })

  test('keeps no adapter from closing', { timeout: 120_000 }, async () => {
    const adapter = postgresAdapter({ url: server.url, pool: { max: 1 } })
    const pid = statementOf('select pg_catalog.pg_backend_pid()', { columns: [oids.int4] })
    const { rows } = await adapter.execute(executionOf(pid, [], { timeoutMs }))
    const stopped = Number(/\d+/.exec(String(rows))?.[0])
    process.kill(stopped, 'SIGSTOP')
    try {
      const late = adapter.execute(executionOf(pid, [], { timeoutMs }))
      await expect(late).rejects.toMatchObject({ problem: 'queryTimeout' })
      await adapter.close()
      expect(adapter.poolState?.()).toMatchObject({ busy: 0, givenUp: 0 })
    } finally {
      resume(stopped)
    }
  })
})

/** A process that has ended needs no signal. */
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
