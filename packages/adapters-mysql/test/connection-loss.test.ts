import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { type Adapter, oids } from '@engine/core'
import { type MysqlServer, startMysql } from '@engine/test-databases'
import { describeMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, one, planOf, statementOf } from './support/statements.ts'

describeMysql('a database that comes and goes', () => {
  let server: MysqlServer
  let url: string
  let adapter: Adapter

  beforeAll(async () => {
    server = await startMysql({ settings: { 'max-connections': '20' } })
    url = `${server.url}test`
    await withClient(server.url, (client) =>
      client.run(
        'create database test',
        'create table test.counters (id int primary key, n int not null)',
        'insert into test.counters values (1, 0)',
        'create table test.log (id int auto_increment primary key, pair int not null, half int not null)',
      ),
    )
    adapter = mysqlAdapter({ url, pool: { max: 6 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await server?.stop()
  })

  const withClient = async <T>(at: string, use: (client: TestClient) => Promise<T>): Promise<T> => {
    const client = await openClient(at)
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  }
  const slow = statementOf('select sleep(30)', { columns: [oids.int4] })
  const write = statementOf('update counters set n = n + 1 where id = 1', { isWrite: true })
  const count = () =>
    withClient(url, async (client) =>
      Number((await client.rows('select n from counters'))[0]?.['n']),
    )
  /** Opens all connections of the pool. */
  const fillPool = () =>
    Promise.all(Array.from({ length: 6 }, () => adapter.execute(executionOf(one))))
  /** Waits until so many of the adapter's statements with the text run. */
  const isRunning = (text: string, wanted: number) =>
    withClient(url, (client) =>
      vi.waitFor(
        async () => {
          const rows = await client.rows(
            `select id from information_schema.processlist
             where info like '%${text}%' and id <> connection_id()`,
          )
          expect(rows).toHaveLength(wanted)
        },
        { timeout: 10_000 },
      ),
    )
  /** Ends every other connection. */
  const terminate = () =>
    withClient(url, async (client) => {
      const rows = await client.rows(
        "select id from information_schema.processlist where db = 'test' and id <> connection_id()",
      )
      for (const { id } of rows) {
        // One may be gone by then: the adapter gives up the others with the first one that it loses.
        await client
          .run(`kill ${id}`)
          .catch((error: unknown) => expect(error).toMatchObject({ errno: 1094 }))
      }
    })

  test('after a restart the next request works', async () => {
    await fillPool()
    await server.restart()

    expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
  })

  test('after a restart the next write works', async () => {
    await fillPool()
    await server.restart()

    expect(await adapter.execute(executionOf(write))).toMatchObject({ rowCount: 1 })
  })

  test('while it is away requests fail at once, and work when it is back', async () => {
    await fillPool()
    await server.kill()

    await expect(adapter.execute(executionOf(one))).rejects.toMatchObject({
      problem: 'unavailable',
      status: 503,
    })
    await expect(adapter.execute(executionOf(write))).rejects.toMatchObject({ status: 503 })
    await expect(adapter.ping(AbortSignal.timeout(10_000))).rejects.toMatchObject({ status: 503 })
    await expect(adapter.introspect(AbortSignal.timeout(10_000))).rejects.toMatchObject({
      status: 503,
    })
    await server.restart()
    expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
    await adapter.ping(AbortSignal.timeout(10_000))
  })

  test('what runs when it is killed is answered', async () => {
    const running = [slow, slow, slow].map((statement) => adapter.execute(executionOf(statement)))
    const outcomes = Promise.allSettled(running)
    await isRunning('sleep(30)', 3)
    await server.kill()

    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    }
    await server.restart()
  })

  test('killed under writes it loses none that was answered, and halves none', async () => {
    const pair = (n: number) =>
      planOf([
        { sql: `insert into log (pair, half) values (${n}, 1)` },
        { sql: `insert into log (pair, half) values (${n}, 2)`, yields: 'affected' },
      ])
    const answered: number[] = []
    let isOver = false
    const writer = async (first: number) => {
      for (let n = first; !isOver; n += 4) {
        try {
          await adapter.execute(executionOf(pair(n), [], { values: [[], []] }))
          answered.push(n)
        } catch (error) {
          expect(error).toMatchObject({ status: 503 })
        }
      }
    }
    const writers = Promise.all([0, 1, 2, 3].map(writer))
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(40), { timeout: 20_000 })
    await server.kill()
    const before = answered.length
    await server.restart()
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(before + 20), {
      timeout: 20_000,
    })
    isOver = true
    await writers

    await withClient(url, async (client) => {
      const halves = await client.rows(
        'select pair, count(*) as n, count(distinct half) as halves from log group by pair',
      )
      expect(halves.filter(({ n, halves: half }) => n !== 2 || half !== 2)).toEqual([])
      const stored = new Set(halves.map(({ pair: n }) => Number(n)))
      expect(answered.filter((n) => !stored.has(n))).toEqual([])
    })
  })

  test('a read whose connection is ended is run again, a write is not', async () => {
    const before = await count()
    const nap = statementOf('select sleep(0.5)', { columns: [oids.int4] })
    const slowWrite = statementOf(
      'update counters set n = n + 1 where id = 1 and (select sleep(0.5)) = 0',
      { isWrite: true },
    )
    const reading = adapter.execute(executionOf(nap))
    const writing = adapter.execute(executionOf(slowWrite))
    const lost = expect(writing).rejects.toMatchObject({ problem: 'unavailable' })
    await isRunning('sleep(0.5)', 2)
    await terminate()

    expect(await reading).toMatchObject({ rowCount: 1 })
    await lost
    expect(await count()).toBe(before)
  })

  test('a transaction that loses its connection fails as a whole', async () => {
    const before = await count()
    const failed = adapter.transaction(
      { timeoutMs: 30_000, readOnly: false, signal: undefined },
      async (session) => {
        await session.execute(executionOf(write))
        await terminate()
        await session.execute(executionOf(write))
      },
    )

    await expect(failed).rejects.toMatchObject({ problem: 'unavailable' })
    expect(await count()).toBe(before)
    expect(await adapter.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
  })

  test('a server without room for another connection is unavailable', async () => {
    const crowded = mysqlAdapter({ url, pool: { max: 40 } })
    const nap = statementOf('select sleep(0.2)', { columns: [oids.int4] })
    const runs = await Promise.allSettled(
      Array.from({ length: 40 }, () => crowded.execute(executionOf(nap))),
    )

    const failures = runs.filter((run) => run.status === 'rejected')
    expect(failures.length).toBeGreaterThan(0)
    for (const { reason } of failures) expect(reason).toMatchObject({ status: 503 })
    expect(await crowded.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
    await crowded.close()
  })

  test('a connection that is cut in the middle of an answer', async () => {
    const wire = await openWire(Number(new URL(url).port))
    const through = new URL(url)
    through.port = String(wire.port)
    const distant = mysqlAdapter({ url: through.href, pool: { max: 2 } })
    const large = statementOf("select seq, repeat('x', 1000) from seq_1_to_20000", {
      columns: [oids.int4, oids.text],
    })
    try {
      // Each attempt is cut after some bytes of rows: the read is given up after the last one.
      wire.cutAfter(500_000)
      await expect(
        distant.execute(executionOf(large, [], { maxRows: 20_000 })),
      ).rejects.toMatchObject({ problem: 'unavailable', status: 503 })

      wire.cutAfter(200)
      await expect(distant.execute(executionOf(one))).rejects.toMatchObject({ status: 503 })

      wire.cutAfter(undefined)
      expect(await distant.execute(executionOf(large, [], { maxRows: 20_000 }))).toMatchObject({
        rowCount: 20_000,
      })
      wire.cut()
      expect(await distant.execute(executionOf(one))).toMatchObject({ rows: '[1]' })
    } finally {
      await distant.close()
      wire.close()
    }
  })
})

/** A way to the server that can be cut. */
interface Wire {
  readonly port: number
  /** Cuts each connection after so many bytes of the server. */
  readonly cutAfter: (bytes: number | undefined) => void
  /** Cuts all that are open. */
  readonly cut: () => void
  readonly close: () => void
}

async function openWire(target: number): Promise<Wire> {
  let limit: number | undefined
  const open = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = connectSocket(target, '127.0.0.1')
    let seen = 0
    const end = () => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    open.add(client)
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => {
      seen += data.length
      client.write(data)
      if (limit !== undefined && seen > limit) end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    cutAfter: (bytes) => {
      limit = bytes
    },
    cut: () => {
      for (const socket of open) socket.destroy()
    },
    close: () => server.close(),
  }
}
