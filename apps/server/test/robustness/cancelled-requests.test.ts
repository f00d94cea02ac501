/** When a client disconnects, its statement is cancelled. */
import { silentLog } from '@engine/core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'

const slow = `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000000)
  select count(*) from t`

describeDatabases('a request whose client goes away', (open, kind) => {
  let database: TestDatabase
  let server: RunningServer

  beforeAll(async () => {
    database = await open(
      'create table counters (id integer primary key, n integer); insert into counters values (1, 0)',
    )
    server = await serve({
      config: { connections: { main: { url: database.url, pool: { max: 2 } } } },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.remove()
  })

  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  /** Number of statements that run in the database, without this one. */
  const running = async () => {
    const rows = await database.rows(
      kind === 'mysql'
        ? `select id from information_schema.processlist where db = database() and command = 'Execute'
           and id <> connection_id()`
        : `select pid from pg_stat_activity where datname = current_database() and state = 'active'
         and pid <> pg_backend_pid()`,
    )
    return rows.length
  }
  const untilRunning = async (count: number) => {
    if (kind === 'sqlite') return
    await vi.waitFor(async () => expect(await running()).toBe(count), { timeout: 10_000 })
  }
  const statement = { sql: slow, params: [], method: 'all' }

  test.each([
    ['/data', statement],
    ['/data/batch', { statements: [statement, statement] }],
  ])('POST %s is cancelled in the database', async (path, body) => {
    const controller = new AbortController()
    const answer = post(path, body, controller.signal)
    const gone = expect(answer).rejects.toThrow(/abort/i)
    await untilRunning(1)
    controller.abort()
    await gone
    await untilRunning(0)
  })

  test('more of them than there are connections do not keep others waiting', async () => {
    const controller = new AbortController()
    const answers = Array.from({ length: 8 }, () =>
      post('/data', statement, controller.signal).catch(() => 'gone'),
    )
    await untilRunning(2)
    controller.abort()
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['gone']))
    const next = await post('/data', {
      sql: 'select n from main.counters',
      params: [],
      method: 'get',
    })
    expect([next.status, await next.json()]).toEqual([200, { rows: [0] }])
    await untilRunning(0)
  })

  test('a batch that is cancelled has written nothing', async () => {
    const increment = { sql: 'update main.counters set n = n + 1', params: [], method: 'run' }
    const controller = new AbortController()
    const answer = post('/data/batch', { statements: [increment, statement] }, controller.signal)
    const gone = expect(answer).rejects.toThrow(/abort/i)
    await untilRunning(1)
    if (kind === 'sqlite') await new Promise((resolve) => setTimeout(resolve, 500))
    controller.abort()
    await gone
    await untilRunning(0)
    const write = await post('/data', {
      ...increment,
      sql: `${increment.sql} returning n`,
      method: 'get',
    })
    expect(await write.json()).toEqual({ rows: [1] })
    await database.run('update counters set n = 0')
  })
})
