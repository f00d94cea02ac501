import type { Adapter } from '@engine/core/adapter'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { executionOf, type ServerDialect, type ServerSubject } from './server-subject.ts'

/**
 * The behaviour of every server adapter with statements that take too long, that were cancelled, or that find no
 * connection. To be called within a `describe`.
 *
 * @param open creates an empty database; called once.
 */
export function serverTimeouts(dialect: ServerDialect, open: () => Promise<ServerSubject>): void {
  let subject: ServerSubject
  let adapter: Adapter

  beforeAll(async () => {
    subject = await open()
    await subject.run('create table t (id int primary key)', 'insert into t values (1)')
  })
  afterAll(() => subject?.close())
  beforeEach(() => {
    adapter = subject.openAdapter({ pool: { max: 2 }, acquireTimeoutMs: 1_000 })
  })
  afterEach(() => adapter.close())

  const nap = (seconds: number) => dialect.read(`select ${dialect.sleep(seconds)}`, 'sleep')
  const sleep = nap(60)
  const one = dialect.read('select 1', 'integer')
  const table = `${dialect.schema}t`
  const sleeping = () => subject.running(dialect.sleep(60))
  const isAsleep = (count: number) =>
    vi.waitFor(async () => expect(await sleeping()).toBe(count), { timeout: 15_000 })

  test('a slow statement is stopped on the server', async () => {
    await expect(adapter.execute(executionOf(sleep, [], { timeoutMs: 200 }))).rejects.toMatchObject(
      { problem: 'queryTimeout', status: 408, sqlState: '57014' },
    )
    expect(await sleeping()).toBe(0)
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

  test('a slow statement in a transaction is stopped and rolled back', async () => {
    const update = dialect.write(`update ${table} set id = 2`)
    const failed = adapter.transaction(
      { timeoutMs: 200, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(update, [], { timeoutMs: 200 }))
        await session.execute(executionOf(sleep, [], { timeoutMs: 200 }))
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'queryTimeout' })
    expect(await subject.rows('select id from t')).toEqual([{ id: 1 }])
  })

  test('a statement that waits for a lock is stopped', async () => {
    const holding = subject.openAdapter({ pool: { max: 1 } })
    const update = dialect.write(`update ${table} set id = id`)
    const held = holding.transaction(
      { timeoutMs: 30_000, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(update))
        const waiting = adapter.execute(executionOf(update, [], { timeoutMs: 300 }))
        await expect(waiting).rejects.toMatchObject({ problem: 'queryTimeout' })
      },
    )

    await held
    await holding.close()
    expect(await subject.rows('select id from t')).toEqual([{ id: 1 }])
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
    const other = subject.openAdapter({})
    const running = other.execute(executionOf(nap(2)))
    await vi.waitFor(async () => expect(await subject.running(dialect.sleep(2))).toBe(1), {
      timeout: 15_000,
    })
    await other.close()

    expect(await running).toMatchObject({ rowCount: 1 })
    await expect(other.execute(executionOf(one))).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test('closing ends those who wait for a connection', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const other = subject.openAdapter({ pool: { max: 1 } })
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
    const reader = subject.openAdapter({ readOnly: true })
    const insert = dialect.write(`insert into ${table} values (9)`)

    await expect(reader.execute(executionOf(insert))).rejects.toMatchObject({
      problem: 'permissionDenied',
      sqlState: '25006',
    })
    await reader.close()
  })
}
