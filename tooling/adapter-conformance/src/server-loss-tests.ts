import type { Adapter, CompiledStatement } from '@engine/core/adapter'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { executionOf, type ServerDialect, type ServerSubject } from './server-subject.ts'

/** A separate server that the tests stop and start. Direct queries, without the adapter, use new connections. */
export interface LossSubject extends ServerSubject {
  /** A write of the single row of `counters (id, n)` that takes this number of seconds. */
  slowWrite(seconds: number): CompiledStatement
  /** Ends all connections except its own. */
  terminate(): Promise<void>
  restart(): Promise<void>
  kill(): Promise<void>
}

/**
 * The behaviour of every server adapter when connections break. To be called within a `describe`.
 *
 * @param open starts a server that accepts 20 connections, with one row `(1, 0)` in `counters (id, n)`; called once.
 */
export function serverConnectionLoss(
  dialect: ServerDialect,
  open: () => Promise<LossSubject>,
): void {
  let subject: LossSubject
  let adapter: Adapter

  beforeAll(async () => {
    subject = await open()
    adapter = subject.openAdapter({ pool: { max: 6 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await subject?.close()
  })

  const one = executionOf(dialect.read('select 1', 'integer'))
  const nap = (seconds: number) =>
    executionOf(dialect.read(`select ${dialect.sleep(seconds)}`, 'sleep'))
  const write = executionOf(
    dialect.write(`update ${dialect.schema}counters set n = n + 1 where id = 1`),
  )
  const count = async () => (await subject.rows('select n from counters'))[0]?.['n']
  const isRunning = (text: string, wanted: number) =>
    vi.waitFor(async () => expect(await subject.running(text)).toBe(wanted), { timeout: 15_000 })
  /** Opens all connections of the pool. */
  const fillPool = () => Promise.all(Array.from({ length: 6 }, () => adapter.execute(one)))

  test('after a restart the next request works', async () => {
    await fillPool()
    await subject.restart()

    expect(await adapter.execute(one)).toMatchObject({ rows: '[1]' })
  })

  test('after a restart the next write works', async () => {
    await fillPool()
    await subject.restart()

    expect(await adapter.execute(write)).toMatchObject({ rowCount: 1 })
  })

  test('while it is away requests fail at once, and work when it is back', async () => {
    await fillPool()
    await subject.kill()

    await expect(adapter.execute(one)).rejects.toMatchObject({
      problem: 'unavailable',
      status: 503,
    })
    await expect(adapter.execute(write)).rejects.toMatchObject({ status: 503 })
    await expect(adapter.ping(AbortSignal.timeout(10_000))).rejects.toMatchObject({ status: 503 })
    await expect(adapter.introspect(AbortSignal.timeout(10_000))).rejects.toMatchObject({
      status: 503,
    })
    await subject.restart()
    expect(await adapter.execute(one)).toMatchObject({ rows: '[1]' })
    await adapter.ping(AbortSignal.timeout(10_000))
  })

  test('what runs when it is killed is answered', async () => {
    const outcomes = Promise.allSettled([1, 2, 3].map(() => adapter.execute(nap(60))))
    await isRunning(dialect.sleep(60), 3)
    await subject.kill()

    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    }
    await subject.restart()
  })

  test('a read whose connection is ended is run again, a write is not', async () => {
    const before = await count()
    const reading = adapter.execute(nap(3))
    const writing = adapter.execute(executionOf(subject.slowWrite(3)))
    const lost = expect(writing).rejects.toMatchObject({ problem: 'unavailable' })
    await isRunning(dialect.sleep(3), 2)
    await subject.terminate()

    expect(await reading).toMatchObject({ rowCount: 1 })
    await lost
    expect(await count()).toBe(before)
  })

  test('a transaction that loses its connection fails as a whole', async () => {
    const before = await count()
    const failed = adapter.transaction(
      { timeoutMs: 30_000, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(write)
        await subject.terminate()
        await session.execute(write)
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await count()).toBe(before)
    expect(await adapter.execute(one)).toMatchObject({ rows: '[1]' })
  })

  test('a server without room for another connection is unavailable', async () => {
    const crowded = subject.openAdapter({ pool: { max: 40 } })
    const runs = await Promise.allSettled(
      Array.from({ length: 40 }, () => crowded.execute(nap(0.2))),
    )

    const failures = runs.filter((run) => run.status === 'rejected')
    expect(failures.length).toBeGreaterThan(0)
    for (const { reason } of failures) expect(reason).toMatchObject({ status: 503 })
    expect(await crowded.execute(one)).toMatchObject({ rows: '[1]' })
    await crowded.close()
  })
}
