/**
 * An unreachable database does not stop the others, is shown in /health/ready, and is used again when it is available.
 */
import { createApp } from '@engine/http'
import { type PostgresServer, startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const patiently = { timeout: 20_000, interval: 100 }

describePostgres('a database that is away', () => {
  let here: TestDatabase
  let away: PostgresServer
  let gateway: TestGateway
  let guarded: TestGateway

  beforeAll(async () => {
    here = await openSqlite(
      'create table users (id integer primary key); insert into users values (1)',
    )
    away = await startPostgres()
    const client = new pg.Client({ connectionString: away.url })
    await client.connect()
    await client.query('create table users (id integer primary key); insert into users values (2)')
    await client.query('checkpoint')
    await client.end()
    await away.kill()
    const connections = { away: away.url, here: here.url }
    gateway = await openGateway({ connections, open: true }, { isDevelopment: false })
    guarded = await openGateway({
      connections,
      auth: { secret },
      permissions: [
        { table: 'away.users', roles: ['reader'], select: { columns: ['id'], where: { id: 2 } } },
        { table: 'here.users', roles: ['reader'], select: {} },
      ],
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await guarded?.close()
    await away?.stop()
    await here?.remove()
  })

  const ask = (sql: string) => gateway.data({ sql, params: [], method: 'get' })
  const ready = async () => {
    const response = await gateway.fetch(new Request('http://gateway.test/health/ready'))
    return { status: response.status, body: await response.json() }
  }

  test('the other connection works', async () => {
    expect((await ask('select id from here.users')).body).toEqual({ rows: [1] })
    expect((await ask('select 1 + 1')).body).toEqual({ rows: [2] })
  })

  test('its own tables are 503, and say when to come back', async () => {
    for (const sql of [
      'select id from away.users',
      'select 1 from away.nothing',
      'delete from away.users',
    ]) {
      const { status, headers, body } = await ask(sql)
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toMatchObject({ error: 'UNAVAILABLE' })
      expect(JSON.stringify(body)).not.toMatch(/postgres|127\.0\.0\.1|ECONN/)
    }
  })

  test('it does not change what names mean', async () => {
    expect(await ask('select id from users')).toMatchObject({ status: 400 })
    expect(await ask('select 1 from here.users, away.users')).toMatchObject({ status: 400 })
    expect(await ask('select 1 from here.nothing')).toMatchObject({ status: 404 })
    expect(await ask('select 1 from nowhere.users')).toMatchObject({ status: 404 })
  })

  test('permissions on its tables wait', async () => {
    const reader = await bearer({ roles: ['reader'] })
    const query = (sql: string) => guarded.data({ sql, params: [], method: 'get' }, reader)
    expect((await query('select id from here.users')).body).toEqual({ rows: [1] })
    expect(await query('select id from away.users')).toMatchObject({ status: 503 })
  })

  test('/health/live is fine, /health/ready is not', async () => {
    const live = await gateway.fetch(new Request('http://gateway.test/health/live'))
    expect(live.status).toBe(200)
    // In production, only operators may know which database it is.
    expect(await ready()).toEqual({ status: 503, body: { status: 'unavailable' } })
  })

  test('when it comes it is served, without a request having to fail', async () => {
    await away.restart()
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), patiently)
    expect((await ask('select id from away.users')).body).toEqual({ rows: [2] })
    const reader = await bearer({ roles: ['reader'] })
    const sql = 'select id from away.users'
    const query = () => guarded.data({ sql, params: [], method: 'get' }, reader)
    await vi.waitFor(async () => expect((await query()).body).toEqual({ rows: [2] }), patiently)
  })

  test('when it goes again requests are 503, and when it is back they are answered at once', async () => {
    await away.kill()
    expect(await ask('select id from away.users')).toMatchObject({ status: 503 })
    expect((await ask('select id from here.users')).body).toEqual({ rows: [1] })
    await vi.waitFor(async () => expect((await ready()).status).toBe(503), patiently)
    await away.restart()
    expect((await ask('select id from away.users')).body).toEqual({ rows: [2] })
  })
})

describePostgres('health of databases that are there', () => {
  test('/health/ready says so, and 503 while the process ends', async () => {
    const here = await openSqlite()
    const gateway = await openGateway({ connections: { main: here.url }, open: true })
    const response = await gateway.fetch(new Request('http://gateway.test/health/ready'))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ready', connections: { main: true } })
    const ending = createApp(gateway.engine, { isDevelopment: false, isReady: () => false })
    const refused = await ending.fetch(new Request('http://gateway.test/health/ready'))
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ status: 'unavailable' })
    await gateway.close()
    await here.remove()
  })
})
