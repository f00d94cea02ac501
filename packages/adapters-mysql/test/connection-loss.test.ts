import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { executionOf, type LossSubject, serverConnectionLoss } from '@engine/adapter-conformance'
import type { Adapter } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { type MysqlServer, mysqlNumbers } from '@engine/test-databases'
import { describeEachMysql, type MysqlOfRun } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { mysqlDialect } from './support/server.ts'
import { one, planOf, statementOf } from './support/statements.ts'

async function startServer(
  { start }: MysqlOfRun,
  ...statements: readonly string[]
): Promise<MysqlServer> {
  const server = await start({ settings: { 'max-connections': '20' } })
  await withClient(server.url, (client) =>
    client.run('create database test', 'use test', ...statements),
  )
  return server
}

async function withClient<T>(at: string, use: (client: TestClient) => Promise<T>): Promise<T> {
  const client = await openClient(at)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

async function openServer(ofRun: MysqlOfRun): Promise<LossSubject> {
  const server = await startServer(
    ofRun,
    'create table counters (id int primary key, n int not null)',
    'insert into counters values (1, 0)',
  )
  const url = `${server.url}test`
  const rows = (sql: string) => withClient(url, (client) => client.rows(sql))
  const count = async (sql: string) => (await rows(sql)).length
  return {
    openAdapter: (options) => mysqlAdapter({ url, ...options }),
    run: (...statements) => withClient(url, (client) => client.run(...statements)),
    rows,
    running: (text) =>
      count(
        `select id from information_schema.processlist
         where info like '%${text}%' and id <> connection_id()`,
      ),
    inTransaction: () => count('select trx_id from information_schema.innodb_trx'),
    slowWrite: (seconds) =>
      mysqlDialect.write(
        `update counters set n = n + 1 where id = 1 and (select sleep(${seconds})) = 0`,
      ),
    terminate: () =>
      withClient(url, async (client) => {
        const others = await client.rows(
          "select id from information_schema.processlist where db = 'test' and id <> connection_id()",
        )
        for (const { id } of others) {
          // A connection may already be closed: the adapter closes the others with the first one that it loses.
          await client
            .run(`kill ${id}`)
            .catch((error: unknown) => expect(error).toMatchObject({ errno: 1094 }))
        }
      }),
    restart: server.restart,
    kill: server.kill,
    close: server.stop,
  }
}

describeEachMysql('a database that comes and goes', (ofRun) => {
  serverConnectionLoss(mysqlDialect, () => openServer(ofRun))
})

describeEachMysql('a server that comes and goes', (ofRun) => {
  let server: MysqlServer
  let url: string
  let adapter: Adapter

  beforeAll(async () => {
    server = await startServer(
      ofRun,
      'create table log (id int auto_increment primary key, pair int not null, half int not null)',
    )
    url = `${server.url}test`
    adapter = mysqlAdapter({ url, pool: { max: 6 } })
  })
  afterAll(async () => {
    await adapter?.close()
    await server?.stop()
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

  test('a connection that is cut in the middle of an answer', async () => {
    const wire = await openWire(Number(new URL(url).port))
    const through = new URL(url)
    through.port = String(wire.port)
    const distant = mysqlAdapter({ url: through.href, pool: { max: 2 } })
    const large = statementOf(`select seq, repeat('x', 1000) from ${mysqlNumbers(20_000)}`, {
      columns: [oids.int4, oids.text],
    })
    try {
      // Each attempt is cut after some bytes of rows: after the last one the read fails.
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

/** A proxy to the server whose connections can be cut. */
interface Wire {
  readonly port: number
  /** Cuts each connection after this number of bytes from the server. */
  readonly cutAfter: (bytes: number | undefined) => void
  /** Cuts all open connections. */
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
