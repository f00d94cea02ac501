import { type Adapter, oids } from '@engine/core'
import { type PostgresServer, startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('a database that comes and goes', () => {
  let server: PostgresServer
  let adapter: Adapter

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: '20' } })
    adapter = postgresAdapter({ url: server.url, pool: { max: 6 } })
    await withClient((client) => client.query('create table counters (n int)'))
    await withClient((client) => client.query('insert into counters values (0)'))
  })
  afterAll(async () => {
    await adapter.close()
    await server.stop()
  })

  const withClient = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
  const read = statementOf('select 1', { columns: [oids.int4] })
  const slow = statementOf('select pg_catalog.pg_sleep(30)', { columns: [oids.text] })
  const write = statementOf('update public.counters set n = n + 1', { isWrite: true })
  /** Opens all connections of the pool. */
  const fillPool = () =>
    Promise.all(Array.from({ length: 6 }, () => adapter.execute(executionOf(read))))

  test('after a restart the next request works', async () => {
    await fillPool()
    await server.restart()

    expect(await adapter.execute(executionOf(read))).toMatchObject({ rows: '[1]' })
  })

  test('after a restart the next write works', async () => {
    await fillPool()
    await server.restart()

    expect(await adapter.execute(executionOf(write))).toMatchObject({ rowCount: 1 })
  })

  test('while it is away requests fail at once, and work when it is back', async () => {
    await fillPool()
    await server.kill()

    await expect(adapter.execute(executionOf(read))).rejects.toMatchObject({
      problem: 'unavailable',
      status: 503,
    })
    await expect(adapter.execute(executionOf(write))).rejects.toMatchObject({ status: 503 })
    await expect(adapter.ping(AbortSignal.timeout(10_000))).rejects.toMatchObject({ status: 503 })
    await expect(adapter.introspect(AbortSignal.timeout(10_000))).rejects.toMatchObject({
      status: 503,
    })
    await server.restart()
    expect(await adapter.execute(executionOf(read))).toMatchObject({ rows: '[1]' })
    await adapter.ping(AbortSignal.timeout(10_000))
  })

  test('what runs when it ends is answered', async () => {
    const running = [slow, slow, slow].map((statement) => adapter.execute(executionOf(statement)))
    const outcomes = Promise.allSettled(running)
    await withClient(async (client) => {
      for (;;) {
        const { rows } = await client.query(
          "select from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()",
        )
        if (rows.length === 3) break
      }
    })
    await server.kill()

    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    }
    await server.restart()
  })

  test('a read whose connection is ended is run again, a write is not', async () => {
    const terminate = () =>
      withClient((client) =>
        client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'engine'",
        ),
      )
    const count = () =>
      withClient(async (client) => {
        const { rows } = await client.query<{ n: number }>('select n from counters')
        return rows[0]?.n
      })
    const before = await count()
    const nap = statementOf('select pg_catalog.pg_sleep(0.5)', { columns: [oids.text] })
    const slowWrite = statementOf(
      'update public.counters set n = n + 1 from pg_catalog.pg_sleep(0.5)',
      { isWrite: true },
    )
    const reading = adapter.execute(executionOf(nap))
    const writing = adapter.execute(executionOf(slowWrite))
    const lost = expect(writing).rejects.toMatchObject({ problem: 'unavailable' })
    await withClient(async (client) => {
      for (;;) {
        const { rows } = await client.query(
          "select from pg_stat_activity where query like '%pg_sleep(0.5)%' and state = 'active' and pid <> pg_backend_pid()",
        )
        if (rows.length === 2) break
      }
    })
    await terminate()

    expect(await reading).toMatchObject({ rowCount: 1 })
    await lost
    expect(await count()).toBe(before)
  })

  test('a transaction that loses its connection fails as a whole', async () => {
    const failed = adapter.transaction(
      { timeoutMs: 30_000, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(write))
        await withClient((client) =>
          client.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'engine'",
          ),
        )
        await session.execute(executionOf(write))
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await adapter.execute(executionOf(read))).toMatchObject({ rows: '[1]' })
  })

  test('a server without room for another connection is unavailable', async () => {
    const crowded = postgresAdapter({ url: server.url, pool: { max: 40 } })
    const nap = statementOf('select pg_catalog.pg_sleep(0.2)', { columns: [oids.text] })
    const runs = await Promise.allSettled(
      Array.from({ length: 40 }, () => crowded.execute(executionOf(nap))),
    )

    const failures = runs.filter((run) => run.status === 'rejected')
    expect(failures.length).toBeGreaterThan(0)
    for (const { reason } of failures) expect(reason).toMatchObject({ status: 503 })
    expect(await crowded.execute(executionOf(read))).toMatchObject({ rows: '[1]' })
    await crowded.close()
  })
})
