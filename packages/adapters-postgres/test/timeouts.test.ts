import { type Adapter, oids } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

describePostgres('timeouts and cancellation', () => {
  let url: string
  let adapter: Adapter
  let client: Client

  beforeAll(async () => {
    url = await createDatabase('timeouts')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query('create table t (id int primary key)')
    await client.query('insert into t values (1)')
  })
  afterAll(() => client.end())
  beforeEach(() => {
    adapter = postgresAdapter({ url, pool: { max: 2 }, acquireTimeoutMs: 1_000 })
  })
  afterEach(() => adapter.close())

  const sleep = statementOf('select pg_catalog.pg_sleep(60)', { columns: [oids.text] })
  const one = statementOf('select 1', { columns: [oids.int4] })
  /** How many sessions of the database run a statement that sleeps. */
  const sleeping = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%'
         and pid <> pg_backend_pid()`,
    )
    return rows[0]?.count
  }
  const isAsleep = (count: number) =>
    vi.waitFor(async () => expect(await sleeping()).toBe(count), { timeout: 10_000 })

  test('a slow statement is stopped on the server', async () => {
    await expect(adapter.execute(executionOf(sleep, [], { timeoutMs: 200 }))).rejects.toMatchObject(
      {
        problem: 'queryTimeout',
        status: 408,
        sqlState: '57014',
      },
    )
    expect(await sleeping()).toBe(0)
  })

  test('every execution has its own limit, whatever the one before had', async () => {
    const short = { timeoutMs: 100 }
    const nap = statementOf('select pg_catalog.pg_sleep(0.4)', { columns: [oids.text] })

    await expect(adapter.execute(executionOf(nap, [], short))).rejects.toMatchObject({
      status: 408,
    })
    expect(await adapter.execute(executionOf(nap))).toMatchObject({ rowCount: 1 })
    await expect(adapter.execute(executionOf(nap, [], short))).rejects.toMatchObject({
      status: 408,
    })
  })

  test('a slow statement in a transaction is stopped and rolled back', async () => {
    const update = statementOf('update public.t set id = 2', { isWrite: true })
    const failed = adapter.transaction(
      { timeoutMs: 200, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(update))
        await session.execute(executionOf(sleep))
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'queryTimeout' })
    expect((await client.query('select id from t')).rows).toEqual([{ id: 1 }])
  })

  test('a statement that nobody waits for any more is stopped on the server', async () => {
    const controller = new AbortController()
    const running = adapter.execute(executionOf(sleep, [], { signal: controller.signal }))
    const rejected = expect(running).rejects.toMatchObject({ problem: 'unavailable' })
    await isAsleep(1)
    controller.abort()

    await rejected
    expect(await sleeping()).toBe(0)
    expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
  })

  test('an aborted request does not even start', async () => {
    const running = adapter.execute(executionOf(sleep, [], { signal: AbortSignal.abort() }))

    await expect(running).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test('a cancellation never hits the statement that comes next', async () => {
    for (let round = 0; round < 15; round += 1) {
      const controller = new AbortController()
      const { signal } = controller
      const short = statementOf('select pg_catalog.pg_sleep(0.002)', { columns: [oids.text] })
      const first = adapter.execute(executionOf(short, [], { signal }))
      setTimeout(() => controller.abort(), round % 5)
      await Promise.allSettled([first])

      expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
    }
  })

  test('when all connections stay busy the next request is told so', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const busy = [1, 2].map(() => adapter.execute(executionOf(sleep, [], { signal })))
    await isAsleep(2)

    await expect(adapter.execute(executionOf(one))).rejects.toMatchObject({
      problem: 'unavailable',
      status: 503,
    })
    controller.abort()
    await Promise.allSettled(busy)
    expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
  })

  test('a request that waits for a connection can be aborted', async () => {
    const controller = new AbortController()
    const busy = [1, 2].map(() =>
      adapter.execute(executionOf(sleep, [], { signal: controller.signal })),
    )
    await isAsleep(2)
    const waiting = new AbortController()
    const last = adapter.execute(executionOf(one, [], { signal: waiting.signal }))
    waiting.abort()

    await expect(last).rejects.toMatchObject({ problem: 'unavailable', sqlState: '57014' })
    controller.abort()
    await Promise.allSettled(busy)
  })

  test('closing waits for what runs', async () => {
    const other = postgresAdapter({ url })
    const nap = statementOf('select pg_catalog.pg_sleep(0.3), 7', {
      columns: [oids.text, oids.int4],
    })
    const running = other.execute(executionOf(nap))
    await vi.waitFor(
      async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where query like '%pg_sleep(0.3), 7%' and state = 'active'
           and pid <> pg_backend_pid()`,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 15_000 },
    )
    await other.close()

    expect(await running).toMatchObject({ rows: '["",7]' })
    await expect(other.execute(executionOf(one))).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test('closing ends those who wait for a connection', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const other = postgresAdapter({ url, pool: { max: 1 } })
    const busy = other.execute(executionOf(sleep, [], { signal }))
    await isAsleep(1)
    const waiting = other.execute(executionOf(one))
    const closed = other.close()

    await expect(waiting).rejects.toMatchObject({ problem: 'unavailable' })
    controller.abort()
    await expect(busy).rejects.toMatchObject({ problem: 'unavailable' })
    await closed
    await other.close()
  })

  test('a read-only connection refuses every write', async () => {
    const reader = postgresAdapter({ url, readOnly: true })
    const insert = statementOf('insert into public.t values (9)', { isWrite: true })

    await expect(reader.execute(executionOf(insert))).rejects.toMatchObject({
      problem: 'permissionDenied',
      sqlState: '25006',
    })
    await reader.close()
  })
})
