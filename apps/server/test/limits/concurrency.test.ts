/** Limits of concurrency: maxConcurrentPerCaller, maxConcurrentPerConnection, maxQueued. */
import { type Config, defineAction, silentLog } from '@engine/core'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type RunningServer, serve } from '../../src/serve.ts'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { bearer, secret } from '../support/tokens.ts'

/** Runs until it is stopped. */
const endless = {
  sql: `with recursive t (n) as (select 1 union all select n + 1 from t where n < 2000000000)
    select count(*) from t`,
  params: [],
  method: 'all',
}
const quick = { sql: 'select 1', params: [], method: 'get' }

describeDatabases('requests at a time', (open) => {
  let database: TestDatabase
  let server: RunningServer
  const clients: AbortController[] = []

  const start = async (limits: NonNullable<Config['limits']>, more: Partial<Config> = {}) => {
    database = await open('create table notes (id integer primary key)')
    server = await serve({
      config: {
        service_db: ':memory:',
        connections: { main: { url: database.url, pool: { max: 2 } } },
        auth: { secret },
        limits,
        ...more,
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
  }
  afterEach(async () => {
    for (const client of clients.splice(0)) client.abort()
    await server.stop(2_000)
    await database.remove()
  })

  const send = async (sub: string, body: object = quick, path = '/data') => {
    const client = new AbortController()
    clients.push(client)
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await bearer({ sub })) },
      body: JSON.stringify(body),
      signal: client.signal,
    })
    const { error } = (await response.json()) as { readonly error?: string }
    return { status: response.status, error, retryAfter: response.headers.get('retry-after') }
  }
  /** A statement whose end the test does not await. */
  const sendAside = (sub: string, body: object = endless, path?: string) => {
    send(sub, body, path).catch(() => undefined)
  }
  const untilLoad = (running: number, waiting: number) =>
    vi.waitFor(() => expect(server.engine.load()).toMatchObject({ running, waiting }), {
      timeout: 10_000,
    })
  const overloaded = { status: 503, error: 'UNAVAILABLE', retryAfter: '1' }

  test('a caller at its limit waits; other callers are served', async () => {
    await start({ maxConcurrentPerCaller: 1 })
    sendAside('ada')
    await untilLoad(1, 0)
    sendAside('ada', quick)
    await untilLoad(1, 1)
    expect(await send('bob')).toMatchObject({ status: 200 })
    clients[0]?.abort()
    await untilLoad(0, 0)
  })

  test('where too many wait, more are refused at once', async () => {
    await start({ maxConcurrentPerCaller: 1, maxQueued: 2 })
    sendAside('ada')
    await untilLoad(1, 0)
    sendAside('ada', quick)
    sendAside('ada', quick)
    await untilLoad(1, 2)
    expect(await send('ada')).toEqual(overloaded)
    expect(await send('bob')).toMatchObject({ status: 200 })
  })

  test('a flood of one caller keeps no other waiting for long', async () => {
    await start({ maxConcurrentPerConnection: 1, maxConcurrentPerCaller: 100, maxQueued: 100 })
    sendAside('ada')
    await untilLoad(1, 0)
    let answered = 0
    const count = () => {
      answered += 1
    }
    const flood = Array.from({ length: 60 }, () => send('ada').then(count))
    await untilLoad(1, 60)
    const bob = send('bob').then(({ status }) => ({ status, before: answered }))
    await untilLoad(1, 61)
    clients[0]?.abort()
    const { status, before } = await bob
    expect(status).toBe(200)
    expect(before).toBeLessThan(30)
    await Promise.all(flood)
  })

  test('waiting takes from the time that a statement has', async () => {
    await start({ maxConcurrentPerCaller: 1, queryTimeout: 1_500 })
    sendAside('ada')
    await untilLoad(1, 0)
    const late = await Promise.all([send('ada', endless), send('ada', endless)])
    for (const { status, error } of late) expect([status, error]).toEqual([408, 'QUERY_TIMEOUT'])
    await untilLoad(0, 0)
  })

  test('a client that disconnects while waiting frees its place', async () => {
    await start({ maxConcurrentPerCaller: 1 })
    sendAside('ada')
    await untilLoad(1, 0)
    for (let i = 0; i < 5; i += 1) sendAside('ada')
    await untilLoad(1, 5)
    for (const client of clients.slice(1)) client.abort()
    await untilLoad(1, 0)
  })

  test('a batch has one place, whatever the number of its statements', async () => {
    await start({ maxConcurrentPerCaller: 1, maxQueued: 0 })
    const statements = Array.from({ length: 20 }, () => quick)
    expect(await send('ada', { statements }, '/data/batch')).toMatchObject({ status: 200 })
    sendAside('ada', { statements: [endless] }, '/data/batch')
    await untilLoad(1, 0)
    expect(await send('ada')).toEqual(overloaded)
  })

  test('an action has one place, and never waits for itself', async () => {
    const countNotes = defineAction({
      roles: ['*'],
      input: z.object({}),
      output: z.array(z.unknown()),
      run: async ({ db }) => {
        const some = () => db.selectFrom('main.notes').selectAll().execute()
        return db.transaction().execute(async (transaction) => {
          await transaction.insertInto('main.notes').values({ id: 1 }).execute()
          const inside = await transaction.selectFrom('main.notes').selectAll().execute()
          await transaction.deleteFrom('main.notes').execute()
          return [inside, ...(await Promise.all([some(), some()]))]
        })
      },
    })
    await start(
      { maxConcurrentPerCaller: 1, maxConcurrentPerConnection: 1, maxQueued: 0 },
      { actions: { countNotes } },
    )
    expect(await send('ada', {}, '/actions/countNotes')).toMatchObject({ status: 200 })
    expect(server.engine.load()).toEqual({ running: 0, waiting: 0, callers: 0 })
  })

  test('nothing that fails keeps its place', async () => {
    await start({ maxConcurrentPerCaller: 1, maxQueued: 0 })
    for (const body of [
      { ...quick, sql: 'select nothing from nowhere' },
      { ...quick, sql: 'select $1::int', params: ['x'] },
      { ...quick, sql: 'select 1 / $1::int', params: [0] },
      { ...quick, sql: 'select id from main.notes where id = $1', params: ['not a number'] },
    ]) {
      expect((await send('ada', body)).status).toBeGreaterThanOrEqual(400)
      expect((await send('ada', { statements: [quick, body] }, '/data/batch')).status).not.toBe(503)
    }
    expect(await send('ada')).toMatchObject({ status: 200 })
    expect(server.engine.load()).toEqual({ running: 0, waiting: 0, callers: 0 })
  })
})
