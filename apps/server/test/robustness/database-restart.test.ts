/** A database that restarts while requests run: each is answered, and the next ones work. */
import { silentLog } from '@engine/core'
import { type PostgresServer, startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'

describePostgres('a PostgreSQL that restarts under load', () => {
  let database: PostgresServer
  let server: RunningServer

  beforeAll(async () => {
    database = await startPostgres()
    await query(
      'create table counters (id int primary key, n int not null); insert into counters values (1, 0)',
    )
    server = await serve({
      config: { connections: { main: { url: database.url, pool: { max: 8 } } } },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.stop()
  })

  async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      const result = await client.query(sql)
      return Array.isArray(result) ? [] : result.rows
    } finally {
      await client.end()
    }
  }
  const post = async (sql: string) => {
    const response = await fetch(`${server.url}/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, params: [], method: 'get' }),
      signal: AbortSignal.timeout(30_000),
    })
    return { status: response.status, body: (await response.json()) as { rows?: unknown } }
  }
  const read = 'select n from main.counters where id = 1'
  const write = 'update main.counters set n = n + 1 where id = 1 returning n'

  test.each([
    ['by an orderly restart', () => database.restart()],
    [
      'by a crash',
      async () => {
        await database.kill()
        await database.restart()
      },
    ],
  ])('%s', async (_, interrupt) => {
    await query('update counters set n = 0; checkpoint')
    const statuses = new Map<number, number>()
    let isOver = false
    let written = 0
    let unknown = 0
    const client = async (sql: string) => {
      while (!isOver) {
        const { status } = await post(sql)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (sql === write && status === 200) written += 1
        if (sql === write && status !== 200) unknown += 1
      }
    }
    const clients = [read, write, read, write, read, read, write, read].map(client)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await interrupt()
    const { status } = await post(read)
    expect(status).toBe(200)
    expect((await post(write)).status).toBe(200)
    written += 1
    isOver = true
    await Promise.all(clients)

    for (const found of statuses.keys()) expect([200, 409, 503]).toContain(found)
    const [row] = await query('select n from counters')
    // A crash may lose the last commits: the server runs without synchronous_commit.
    expect(Number(row?.['n'])).toBeLessThanOrEqual(written + unknown)
  })

  test('connections that are idle when it restarts are not noticed', async () => {
    await Promise.all(Array.from({ length: 8 }, () => post(read)))
    await database.restart()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => post(i % 2 ? read : write)),
    )
    for (const { status } of answers) expect(status).toBe(200)
  })
})
