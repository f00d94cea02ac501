import { type Adapter, oids } from '@engine/core'
import { createMysqlDatabase, describeMysql } from '@engine/test-databases/vitest'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, one, planOf, statementOf } from './support/statements.ts'

describeMysql('timeouts and cancellation', () => {
  let url: string
  let adapter: Adapter
  let client: TestClient

  beforeAll(async () => {
    url = await createMysqlDatabase('timeouts')
    client = await openClient(url)
    await client.run('create table t (id int primary key)', 'insert into t values (1)')
  })
  afterAll(() => client?.close())
  beforeEach(() => {
    adapter = mysqlAdapter({ url, pool: { max: 2 }, acquireTimeoutMs: 1_000 })
  })
  afterEach(() => adapter.close())

  const nap = (seconds: number) => statementOf(`select sleep(${seconds})`, { columns: [oids.int4] })
  const sleep = nap(60)
  /** How many sessions of the database run a statement that sleeps. */
  const sleeping = async () => {
    const rows = await client.rows(
      `select id from information_schema.processlist
       where db = database() and info like '%sleep(60)%' and id <> connection_id()`,
    )
    return rows.length
  }
  const isAsleep = (count: number) =>
    vi.waitFor(async () => expect(await sleeping()).toBe(count), { timeout: 10_000 })

  test('a slow statement is stopped on the server', async () => {
    await expect(adapter.execute(executionOf(sleep, [], { timeoutMs: 200 }))).rejects.toMatchObject(
      { problem: 'queryTimeout', status: 408, sqlState: '57014' },
    )
    expect(await sleeping()).toBe(0)
  })

  test('a plan of several steps has one limit for all of them', async () => {
    const naps = Array.from({ length: 20 }, () => ({
      sql: 'select sleep(0.3)',
      yields: 'keep' as const,
    }))

    await expect(
      adapter.execute(
        executionOf(planOf(naps), [], { values: naps.map(() => []), timeoutMs: 500 }),
      ),
    ).rejects.toMatchObject({ problem: 'queryTimeout' })
  })

  test('every execution has its own limit, whatever the one before had', async () => {
    const short = { timeoutMs: 100 }

    await expect(adapter.execute(executionOf(nap(0.4), [], short))).rejects.toMatchObject({
      status: 408,
    })
    expect(await adapter.execute(executionOf(nap(0.4)))).toMatchObject({ rowCount: 1 })
    await expect(adapter.execute(executionOf(nap(0.4), [], short))).rejects.toMatchObject({
      status: 408,
    })
  })

  test('a statement that waits for a lock is stopped', async () => {
    await client.run('start transaction', 'update t set id = 1')
    const update = statementOf('update t set id = id + 1', { isWrite: true })
    const waiting = adapter.execute(executionOf(update, [], { timeoutMs: 300 }))

    await expect(waiting).rejects.toMatchObject({ problem: 'queryTimeout' })
    await client.run('rollback')
    expect(await client.rows('select id from t')).toEqual([{ id: 1 }])
  })

  test('a slow statement in a transaction is stopped and rolled back', async () => {
    const update = statementOf('update t set id = 2', { isWrite: true })
    const failed = adapter.transaction(
      { timeoutMs: 200, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(update, [], { timeoutMs: 200 }))
        await session.execute(executionOf(sleep, [], { timeoutMs: 200 }))
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'queryTimeout' })
    expect(await client.rows('select id from t')).toEqual([{ id: 1 }])
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
      const first = adapter.execute(executionOf(nap(0.002), [], { signal }))
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
    const other = mysqlAdapter({ url })
    const running = other.execute(
      executionOf(statementOf('select sleep(0.3)', { columns: [oids.int4] })),
    )
    await vi.waitFor(
      async () => {
        const rows = await client.rows(
          `select id from information_schema.processlist
         where db = database() and info like '%sleep(0.3)%' and id <> connection_id()`,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 15_000 },
    )
    await other.close()

    expect(await running).toMatchObject({ rows: '[0]' })
    await expect(other.execute(executionOf(one))).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test('closing ends those who wait for a connection', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const other = mysqlAdapter({ url, pool: { max: 1 } })
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
    const reader = mysqlAdapter({ url, readOnly: true })
    const insert = statementOf('insert into t values (9)', { isWrite: true })

    await expect(reader.execute(executionOf(insert))).rejects.toMatchObject({
      problem: 'permissionDenied',
      sqlState: '25006',
    })
    await reader.close()
  })
})
