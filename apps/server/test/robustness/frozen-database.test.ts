/**
 * A database that accepts connections but does not answer: every request still gets an answer in time, and all works
 * again afterwards.
 */
import { silentLog } from '@engine/core'
import { type PrivateServer, startMysql, startPostgres } from '@engine/test-databases'
import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import {
  authSecret,
  type Callable,
  masterKey,
  readNotes,
  remote,
  signIn,
  signUp,
} from '../support/accounts.ts'

const queryTimeoutMs = 500

/** Time limits for a statement and for authentication, in milliseconds; with some reserve. */
const bounds = { statement: queryTimeoutMs + 3_000 + 3_000, identity: 6_000 + 3_000 }

interface Database {
  readonly server: PrivateServer
  readonly url: string
}

describePostgres('a PostgreSQL that is frozen', () => frozenTests(openPostgres))
describeMysql('mariadb', 'a MariaDB that is frozen', () => frozenTests(openMysql))

function frozenTests(open: () => Promise<Database>): void {
  let data: Database
  let service: Database
  let server: RunningServer
  let node: Callable

  beforeEach(async () => {
    data = await open()
    service = await open()
    server = await serve({
      config: {
        connections: { main: data.url },
        permissions: [{ name: 'notes', table: 'main.notes', roles: ['user'], select: {} }],
        service_db: service.url,
        masterKey,
        auth: { secret: authSecret, throttle: false },
        limits: { queryTimeout: queryTimeoutMs },
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
    node = remote(server.url)
  })
  afterEach(async () => {
    for (const database of [data, service]) database?.server.thaw()
    await server?.stop(1_000)
    for (const database of [data, service]) await database?.server.stop()
  })

  /** Ten requests at once. @returns statuses, and milliseconds of the slowest. */
  const ten = async (ask: () => Promise<{ readonly status: number }>) => {
    const startMs = performance.now()
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    return {
      statuses: new Set(answers.map(({ status }) => status)),
      ms: performance.now() - startMs,
    }
  }

  test('with data: statements are given up in time', { timeout: 60_000 }, async () => {
    const { token } = await signUp(node)
    const read = () => readNotes(node, token)
    expect((await ten(read)).statuses).toEqual(new Set([200]))
    data.server.freeze()
    const { statuses, ms } = await ten(read)
    expect([...statuses].filter((status) => status !== 408 && status !== 503)).toEqual([])
    expect(ms).toBeLessThan(bounds.statement)
    data.server.thaw()
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200)
  })

  test('as the service database: nobody is let in, and nobody waits for long', {
    timeout: 60_000,
  }, async () => {
    const { token, email } = await signUp(node)
    const read = () => readNotes(node, token)
    expect((await ten(read)).statuses).toEqual(new Set([200]))
    service.server.freeze()
    const { statuses, ms } = await ten(read)
    expect(statuses).toEqual(new Set([503]))
    expect(ms).toBeLessThan(bounds.identity)
    service.server.thaw()
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200)
    expect(await signIn(node, email)).toMatchObject({ status: 200 })
  })
}

const notes = 'create table notes (id int primary key, note varchar(20))'

async function openPostgres(): Promise<Database> {
  const server = await startPostgres()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(notes)
  await client.end()
  return { server, url: server.url }
}

async function openMysql(): Promise<Database> {
  const server = await startMysql('mariadb')
  const url = `${server.url}frozen`
  const connection = await createConnection({ uri: server.url, multipleStatements: true })
  await connection.query(`create database frozen; use frozen; ${notes}`)
  await connection.end()
  return { server, url }
}
