/**
 * A database that accepts connections but does not answer: every request still gets an answer in time, and all works
 * again afterwards.
 */
import { silentLog } from '@engine/core'
import { createMysqlDatabase, type PrivateServer, startPostgres } from '@engine/test-databases'
import {
  createDatabase,
  describeEachMysql,
  describePostgres,
  type MysqlOfRun,
} from '@engine/test-databases/vitest'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
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

/** A kind of database: a server for one test, which it may freeze, and the server of the whole run. */
interface Kind {
  readonly start: () => Promise<PrivateServer>
  /** A database of its own on a server, with a table `notes`. @returns its URL. */
  readonly createNotes: (server: PrivateServer | 'shared') => Promise<string>
}

describePostgres('a PostgreSQL that is frozen', () => frozenTests(postgres))
describeEachMysql('a frozen database', (ofRun) => frozenTests(mysql(ofRun)))

function frozenTests({ start, createNotes }: Kind): void {
  let frozen: PrivateServer | undefined
  let server: RunningServer | undefined
  let node: Callable

  /** Starts a node whose data, or whose service database, is on the server that will be frozen. */
  async function serveWith(role: 'data' | 'service'): Promise<PrivateServer> {
    const own = await start()
    frozen = own
    const [data, service] =
      role === 'data'
        ? [await createNotes(own), await createNotes('shared')]
        : [await createNotes('shared'), await createNotes(own)]
    server = await serve({
      config: {
        connections: { main: data },
        permissions: [{ name: 'notes', table: 'main.notes', roles: ['user'], select: {} }],
        service_db: service,
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
    return own
  }
  afterEach(async () => {
    frozen?.thaw()
    await server?.stop(1_000)
    await frozen?.stop()
    frozen = undefined
    server = undefined
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
    const database = await serveWith('data')
    const { token } = await signUp(node)
    const read = () => readNotes(node, token)
    expect((await ten(read)).statuses).toEqual(new Set([200]))
    database.freeze()
    const { statuses, ms } = await ten(read)
    expect([...statuses].filter((status) => status !== 408 && status !== 503)).toEqual([])
    expect(ms).toBeLessThan(bounds.statement)
    database.thaw()
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200)
  })

  test('as the service database: nobody is let in, and nobody waits for long', {
    timeout: 60_000,
  }, async () => {
    const database = await serveWith('service')
    const { token, email } = await signUp(node)
    const read = () => readNotes(node, token)
    expect((await ten(read)).statuses).toEqual(new Set([200]))
    database.freeze()
    const { statuses, ms } = await ten(read)
    expect(statuses).toEqual(new Set([503]))
    expect(ms).toBeLessThan(bounds.identity)
    database.thaw()
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200)
    expect(await signIn(node, email)).toMatchObject({ status: 200 })
  })
}

const notes = 'create table notes (id int primary key, note varchar(20))'

const postgres: Kind = {
  start: startPostgres,
  createNotes: async (server) => {
    const url = server === 'shared' ? await createDatabase('frozen') : server.url
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(notes).finally(() => client.end())
    return url
  },
}

const mysql = (ofRun: MysqlOfRun): Kind => ({
  start: ofRun.start,
  createNotes: async (server) => {
    const url =
      server === 'shared'
        ? await ofRun.createDatabase('frozen')
        : await createMysqlDatabase(server.url, 'frozen')
    const connection = await createConnection({ uri: url })
    await connection.query(notes).finally(() => connection.end())
    return url
  },
})
