/** A database that restarts while requests run: each is answered, and the next ones work. */
import { silentLog } from '@engine/core'
import { type PrivateServer, startPostgres } from '@engine/test-databases'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'

/** Runs a statement on the database itself; the rows of a query. */
type Query = (url: string, sql: string) => Promise<readonly object[]>

const onPostgres: Query = async (url, sql) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const onMysql: Query = async (url, sql) => {
  const client = await createConnection(url)
  try {
    const [rows] = await client.query(sql)
    return Array.isArray(rows) ? (rows as object[]) : []
  } finally {
    await client.end()
  }
}

describePostgres('a PostgreSQL that restarts under load', () => {
  // A crash may lose the last commits: the server runs without synchronous_commit.
  restartTests(startPostgres, onPostgres, { keepsCommits: false })
})

describeEachMysql('a database that restarts under load', (ofRun) => {
  const start = async (): Promise<PrivateServer> => {
    const server = await ofRun.start()
    await onMysql(server.url, 'create database restarts')
    return { ...server, url: `${server.url}restarts` }
  }
  restartTests(start, onMysql, { keepsCommits: true })
})

function restartTests(
  start: () => Promise<PrivateServer>,
  ask: Query,
  { keepsCommits }: { readonly keepsCommits: boolean },
): void {
  let database: PrivateServer
  let server: RunningServer

  beforeAll(async () => {
    database = await start()
    await query('create table counters (id int primary key, n int not null)')
    await query('insert into counters values (1, 0)')
    server = await serve({
      config: { connections: { main: { url: database.url, pool: { max: 8 } } }, open: true },
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

  const query = (sql: string) => ask(database.url, sql)
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
    await query('update counters set n = 0')
    if (!keepsCommits) await query('checkpoint')
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
    const stored = Number((row as { readonly n: unknown }).n)
    expect(stored).toBeLessThanOrEqual(written + unknown)
    if (keepsCommits) expect(stored).toBeGreaterThanOrEqual(written)
  })

  test('connections that are idle when it restarts are not noticed', async () => {
    await Promise.all(Array.from({ length: 8 }, () => post(read)))
    await database.restart()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => post(i % 2 ? read : write)),
    )
    for (const { status } of answers) expect(status).toBe(200)
  })
}
