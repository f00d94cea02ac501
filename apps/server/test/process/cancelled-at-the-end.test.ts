/** A request that still runs when the server stops is cancelled at the end of the drain time and answered 503. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { codeOf, connectWire } from '../support/wire.ts'

const config = (url: string) => `
const input = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
const roles = ['anonymous']
export default {
  port: 0,
  connections: { main: ${JSON.stringify(url)} },
  pgWire: { port: 0 },
  limits: { queryTimeout: 120_000 },
  actions: {
    write: {
      roles,
      input,
      run: async ({ db }) => {
        await db.insertInto('main.counters').values({ id: 7, n: 7 }).execute()
        await db.updateTable('main.counters').set({ n: 99 }).where('id', '=', 1).execute()
      },
    },
    deaf: { roles, input, run: () => new Promise(() => undefined) },
  },
}
`

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly retryAfter: string | undefined
  readonly body: unknown
}

function send(url: string, path: string, body: unknown, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asked = request(`${url}${path}`, { method: 'POST', agent, headers }, resolve)
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

async function ask(url: string, path: string, body: unknown, agent: Agent): Promise<Answer> {
  const response = await send(url, path, body, agent)
  const { connection, 'retry-after': retryAfter } = response.headers
  const status = response.statusCode
  return { status, connection, retryAfter, body: JSON.parse(await text(response)) }
}

describePostgres('the end of what runs for longer than the server may wait', () => {
  let folder: TestFolder
  let server: ServerProcess
  let watcher: pg.Client
  let agent: Agent

  beforeEach(async () => {
    folder = createFolder()
    agent = new Agent({ keepAlive: true })
    const url = await createDatabase('cancelled')
    watcher = new pg.Client({ connectionString: url })
    await watcher.connect()
    await watcher.query(`
      create table counters (id int primary key, n int);
      insert into counters values (1, 0);
      create table texts (id int primary key, body text);
      insert into texts select i, repeat('x', 10000) from generate_series(1, 5000) i;
    `)
    folder.write('engine.config.js', config(url))
    server = startServer([], { cwd: folder.path })
  })
  afterEach(async () => {
    agent.destroy()
    server.signal('SIGKILL')
    await server.exit()
    await watcher.end()
    folder.remove()
  })

  const blocked = async () => {
    const { rows } = await watcher.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows.length
  }
  const update = 'update main.counters set n = n + 1 where id = 1'

  test('requests are answered 503, sessions end with 57P01, and nothing is written', async () => {
    const { http: url, pgWire: address = '' } = await server.readyLine()
    // Connections that are kept.
    for (const _ of [1, 2, 3]) {
      const first = await ask(url, '/data', { sql: 'select 1', params: [], method: 'all' }, agent)
      expect(first).toMatchObject({ status: 200, connection: 'keep-alive' })
    }
    await watcher.query('begin; update counters set n = 10 where id = 1')
    const statement = { sql: update, params: [], method: 'run' }
    const insert = {
      sql: 'insert into main.counters values (5, 5)',
      params: [],
      method: 'run',
    }
    const answers = [
      ask(url, '/data', statement, agent),
      ask(url, '/data', { ...statement, sql: `${update} returning n`, method: 'all' }, agent),
      ask(url, '/data/batch', { statements: [insert, statement] }, agent),
      ask(url, '/actions/write', {}, agent),
      ask(url, '/actions/deaf', {}, agent),
    ]
    const client = await connectWire({ address })
    const onWire = client.query(update).then(() => 'done', codeOf)
    const inTransaction = await connectWire({ address })
    await inTransaction.query('begin')
    await inTransaction.query('insert into main.counters values (6, 6)')
    const later = inTransaction.query(update).then(() => 'done', codeOf)
    const unread = await send(
      url,
      '/data',
      { sql: 'select * from main.texts', params: [], method: 'all' },
      agent,
    )
    expect(unread.statusCode).toBe(200)
    await vi.waitFor(async () => expect(await blocked()).toBe(6), { timeout: 20_000 })

    server.signal('SIGTERM')
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({
        status: 503,
        connection: 'close',
        retryAfter: '1',
        body: { error: 'UNAVAILABLE', message: expect.stringContaining('The server is stopping') },
      })
    }
    expect([await onWire, await later]).toEqual(['57P01', '57P01'])
    // An answer that has begun with 200 cannot become a 503: it ends in the middle.
    await expect(text(unread)).rejects.toThrow('aborted')
    expect(await server.exit()).toBe(0)
    await watcher.query('commit')
    // The first statement of the action was a transaction of its own.
    const { rows } = await watcher.query('select id, n from counters order by id')
    expect(rows).toEqual([
      { id: 1, n: 10 },
      { id: 7, n: 7 },
    ])
  }, 90_000)
})
