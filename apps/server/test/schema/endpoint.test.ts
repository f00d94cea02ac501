/** Interface specification 4.10 and 7.3: who may read `GET /schema`, and how it is cached. */
import { rmSync } from 'node:fs'
import type { Config } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const masterKey = 'the master key of thirty-two bytes or more'

let database: TestDatabase
const gateways: TestGateway[] = []

beforeAll(async () => {
  database = await openSqlite('create table users (id integer primary key, name text not null)')
})
afterAll(async () => {
  for (const gateway of gateways) await gateway.close()
  await database?.remove()
})

async function open(config: Partial<Config>, isDevelopment = true): Promise<TestGateway> {
  const gateway = await openGateway(
    { connections: { main: database.url }, open: true, ...config },
    { isDevelopment },
  )
  gateways.push(gateway)
  return gateway
}

function get(
  gateway: TestGateway,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Response> {
  return gateway.fetch(new Request('http://gateway.test/schema', { method, headers }))
}

describe('the endpoint', () => {
  test.each<Config['schemaEndpoint']>([undefined, false, {}, { enabled: false, token: 'secret' }])(
    'the endpoint is not there with %j',
    async (schemaEndpoint) => {
      const gateway = await open(schemaEndpoint === undefined ? {} : { schemaEndpoint })
      for (const method of ['GET', 'POST']) {
        const response = await get(gateway, { authorization: 'Bearer secret' }, method)
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ error: 'NOT_FOUND' })
      }
    },
  )

  test.each<Config['schemaEndpoint']>([true, { enabled: true }])(
    'the endpoint is open to anyone with %j',
    async (schemaEndpoint = true) => {
      const response = await get(await open({ schemaEndpoint }))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toEqual({
        connections: {
          main: {
            type: 'sqlite',
            tables: {
              users: {
                columns: {
                  id: { type: 'integer', nullable: false, hasDefault: true, primaryKey: true },
                  name: { type: 'text', nullable: false, hasDefault: false, primaryKey: false },
                },
                relationships: {},
              },
            },
          },
        },
      })
    },
  )

  test('the endpoint is open with authentication and permissions too: it reveals structure, not data', async () => {
    const auth = { secret: 'a secret of at least thirty-two bytes' }
    const gateway = await open({ schemaEndpoint: true, auth })
    expect((await get(gateway)).status).toBe(200)
  })

  test('the endpoint with a token answers clients that have it, or the master key', async () => {
    const gateway = await open({ schemaEndpoint: { enabled: true, token: 's3cret' }, masterKey })
    expect((await get(gateway, { authorization: 'Bearer s3cret' })).status).toBe(200)
    expect((await get(gateway, { authorization: 'bearer s3cret' })).status).toBe(200)
    expect((await get(gateway, { authorization: `Bearer ${masterKey}` })).status).toBe(200)
  })

  test.each([
    undefined,
    'Bearer',
    'Bearer ',
    'Bearer s3cre',
    'Bearer s3cret2',
    'Bearer S3CRET',
    'Basic s3cret',
    's3cret',
  ])('the endpoint with a token answers 401 to %j', async (authorization) => {
    const gateway = await open({ schemaEndpoint: { enabled: true, token: 's3cret' } }, false)
    const response = await get(gateway, authorization === undefined ? {} : { authorization })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({ error: 'UNAUTHORIZED' })
    expect(body).not.toContain('s3cre')
  })

  test('the endpoint takes GET and HEAD only', async () => {
    const gateway = await open({ schemaEndpoint: true })
    const response = await get(gateway, {}, 'POST')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    const head = await get(gateway, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe((await get(gateway)).headers.get('etag'))
  })
})

describe('caching', () => {
  test('a client with the current description gets 304, until it changes', async () => {
    const gateway = await open({ schemaEndpoint: true })
    const first = await get(gateway)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe('no-cache')

    const second = await get(gateway, { 'if-none-match': `"other", W/${tag}` })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(second.headers.get('etag')).toBe(tag)

    await database.run('create table later (id integer primary key)')
    await gateway.engine.refreshCatalog()
    const third = await get(gateway, { 'if-none-match': tag })
    expect(third.status).toBe(200)
    expect(third.headers.get('etag')).not.toBe(tag)
    expect(await third.text()).toContain('"later"')

    await database.run('drop table later')
    await gateway.engine.refreshCatalog()
    expect((await get(gateway, { 'if-none-match': tag })).status).toBe(304)
  })

  test('401 comes before 304', async () => {
    const open_ = await open({ schemaEndpoint: true })
    const tag = (await get(open_)).headers.get('etag') ?? ''
    const closed = await open({ schemaEndpoint: { enabled: true, token: 's3cret' } })
    expect((await get(closed, { 'if-none-match': tag })).status).toBe(401)
    const authorization = 'Bearer s3cret'
    expect((await get(closed, { authorization, 'if-none-match': tag })).status).toBe(304)
  })

  test('two engines before the same database give the same bytes', async () => {
    const answers = await Promise.all(
      [await open({ schemaEndpoint: true }), await open({ schemaEndpoint: true })].map(
        async (gateway) => (await get(gateway)).text(),
      ),
    )
    expect(answers[0]).toBe(answers[1])
  })
})

test('a database that was never reached is named in a header, and its tables come later', async () => {
  const away = `${database.url}.away.db`
  const gateway = await open({
    connections: { main: database.url, away, zero: `${away}.zero.db` },
    schemaEndpoint: true,
  })
  const before = await get(gateway)
  expect(before.headers.get('x-schema-incomplete')).toBe('away, zero')
  const { connections } = (await before.json()) as { connections: object }
  expect(Object.keys(connections)).toEqual(['away', 'main', 'zero'])
  expect(connections).toMatchObject({ away: { type: 'sqlite', tables: {} } })

  const other = await openSqlite('create table found (id integer primary key)')
  await other.run(`vacuum into '${away}'`)
  await expect
    .poll(async () => (await get(gateway)).headers.get('x-schema-incomplete'), { timeout: 15_000 })
    .toBe('zero')
  expect(await (await get(gateway)).text()).toContain('"found"')
  await other.remove()
  rmSync(away, { force: true })
})
