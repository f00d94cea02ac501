/** A gateway whose configuration is replaced while it serves. */
import { type Config, defineAction, type Log, silentLog } from '@engine/core'
import { createGateway, type Gateway } from '@engine/http'
import { serviceDatabases } from '@engine/test-stores'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'

const masterKey = 'a master key of at least thirty-two bytes'
const asAdmin = { authorization: `Bearer ${masterKey}` }
const origin = 'https://app.example.com'

const setUp = `
  create table notes (id integer primary key, text text not null);
  insert into notes values (1, 'one'), (2, 'two'), (3, 'three');
`

let main: TestDatabase
let service: TestDatabase
let gateway: Gateway
let warnings: string[]

const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }

const notes = (select: object) => ({
  notes: { table: 'main.notes', roles: ['anonymous'], select },
})

const config = (changes: Partial<Config> = {}): Config => ({
  connections: { main: main.url },
  service_db: service.url,
  masterKey,
  permissions: notes({ columns: ['id'] }),
  ...changes,
})

const ask = async (path: string, init?: RequestInit): Promise<Response> =>
  gateway.app.request(path, init, { incoming: { socket: { remoteAddress: '127.0.0.1' } } })

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const query = (sql: string, headers?: Readonly<Record<string, string>>) =>
  post('/data', { sql, params: [], method: 'all' }, headers)

const rowsOf = async (sql: string): Promise<unknown> => (await query(sql)).json()

const faultsOf = async (next: Config): Promise<readonly unknown[]> => {
  const error: unknown = await gateway.reconfigure(next).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ problem: 'invalidConfiguration' })
  return (error as { details: { faults: readonly unknown[] } }).details.faults
}

beforeAll(async () => {
  main = await openSqlite(setUp)
  service = await openSqlite()
  gateway = await createGateway(config(), { adapters, serviceDatabases, log, isDevelopment: false })
})

beforeEach(async () => {
  warnings = []
  await gateway.reconfigure(config())
})

afterAll(async () => {
  await gateway.close()
  await main.remove()
  await service.remove()
})

test('statements have the rights and limits of the newest configuration', async () => {
  expect(await rowsOf('select id from notes')).toEqual({ rows: [[1], [2], [3]] })
  expect((await query('select text from notes')).status).toBe(403)
  await gateway.reconfigure(
    config({
      limits: { maxRows: 1 },
      permissions: notes({ columns: ['id', 'text'], where: { id: { $gt: 1 } } }),
    }),
  )
  const cut = await query('select id, text from notes order by id')
  expect(await cut.json()).toEqual({ rows: [[2, 'two']] })
  expect(cut.headers.get('x-rows-truncated')).toBe('true')
  expect(gateway.engine.settings.limits.maxRows).toBe(1)
  await gateway.reconfigure(config({ permissions: notes({ columns: ['text'] }) }))
  expect((await query('select id from notes')).status).toBe(403)
})

test('open mode is entered and left, with its warning', async () => {
  await gateway.reconfigure(config({ permissions: {}, open: true }))
  expect(gateway.engine.isOpen).toBe(true)
  expect((await query("update notes set text = 'x'")).status).toBe(200)
  expect(warnings).toContainEqual(expect.stringContaining('OPEN MODE'))
  await gateway.reconfigure(config())
  expect((await query("update notes set text = 'x'")).status).toBe(403)
})

test('actions come and go, and so do their descriptions', async () => {
  const action = defineAction({
    input: z.object({}),
    roles: ['anonymous'],
    run: async () => ({ said: 'hello' }),
  })
  expect((await post('/actions/greet', {})).status).toBe(404)
  await gateway.reconfigure(
    config({ actions: { greet: action }, schemaEndpoint: { enabled: true } }),
  )
  expect(await (await post('/actions/greet', {})).json()).toEqual({ said: 'hello' })
  expect(await (await ask('/schema')).json()).toMatchObject({ actions: { greet: {} } })
  await gateway.reconfigure(config({ schemaEndpoint: { enabled: true } }))
  expect((await post('/actions/greet', {})).status).toBe(404)
  expect(await (await ask('/schema')).json()).not.toHaveProperty('actions')
})

test('origins and headers are those of the newest configuration', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  }
  expect((await ask('/data', preflight)).status).toBe(405)
  await gateway.reconfigure(
    config({ security: { cors: { origin: [origin] }, headers: { 'X-Team': 'shop' } } }),
  )
  const allowed = await ask('/data', preflight)
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin)
  expect((await query('select id from notes')).headers.get('x-team')).toBe('shop')
  await gateway.reconfigure(config())
  expect((await ask('/data', preflight)).status).toBe(405)
  expect((await query('select id from notes')).headers.get('x-team')).toBeNull()
  expect((await ask('/nowhere')).status).toBe(404)
})

test('counts of rate limits stay, and are compared with the new numbers', async () => {
  const limited = (rateLimitPerIP: number) => config({ limits: { rateLimitPerIP } })
  await gateway.reconfigure(limited(3))
  for (let i = 0; i < 3; i += 1) expect((await query('select id from notes')).status).toBe(200)
  expect((await query('select id from notes')).status).toBe(429)
  await gateway.reconfigure(limited(3))
  expect((await query('select id from notes')).status).toBe(429)
  await gateway.reconfigure(limited(1_000))
  const more = await query('select id from notes')
  expect(more.status).toBe(200)
  expect(more.headers.get('ratelimit-limit')).toBe('1000')
  await gateway.reconfigure(config())
  expect((await query('select id from notes')).headers.get('ratelimit-limit')).toBeNull()
})

test('the audit is switched on and off', async () => {
  const entries = async () => {
    await gateway.audit?.flush()
    return (await gateway.audit?.search({ kind: 'query', limit: 10 }))?.length
  }
  await gateway.reconfigure(config({ audit: { enabled: false } }))
  await query('select id from notes')
  expect(await entries()).toBe(0)
  await gateway.reconfigure(config({ audit: { enabled: true, logQuery: true } }))
  await query('select id from notes')
  expect(await entries()).toBe(1)
})

test('the administration shows the newest configuration', async () => {
  const shown = async () => (await ask('/admin/api/config', { headers: asAdmin })).json()
  await gateway.reconfigure(config({ limits: { maxRows: 7 } }))
  expect(JSON.stringify(await shown())).toContain('"maxRows":7')
})

describe('a refused configuration changes nothing', () => {
  test.each<[name: string, changes: () => Partial<Config>, path: string, message: RegExp]>([
    [
      'unknown column',
      () => ({ permissions: notes({ columns: ['id', 'txt'] }) }),
      'permissions.notes.select.columns[1]',
      /no column "txt"/,
    ],
    [
      'unknown operator',
      () => ({ permissions: notes({ where: { id: { $near: 1 } } }) }),
      'permissions.notes.select.where.id.$near',
      /./,
    ],
    [
      'unknown connection',
      () => ({
        permissions: { other: { table: 'other.notes', roles: ['anonymous'], select: {} } },
      }),
      'permissions.other.table',
      /no connection "other"/,
    ],
    [
      'a new database that cannot be reached',
      () => ({ connections: { main: main.url, more: 'postgres://nobody@127.0.0.1:1/none' } }),
      'connections.more',
      /cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'a changed database that cannot be reached',
      () => ({ connections: { main: `${main.url}.missing.db` } }),
      'connections.main',
      /cannot be reached/,
    ],
    ['the master key', () => ({ masterKey: `${masterKey}!` }), 'masterKey', /needs a restart/],
    ['the service database', () => ({ service_db: main.url }), 'service_db', /needs a restart/],
    ['the wire protocol', () => ({ pgWire: true as never }), 'pgWire', /needs a restart/],
    [
      'accounts',
      () => ({ auth: { secret: 'a secret of at least thirty-two bytes' } }),
      'auth',
      /needs a restart/,
    ],
    ['metrics', () => ({ metrics: { enabled: true } }), 'metrics', /needs a restart/],
    ['open mode in production', () => ({ permissions: {} }), 'permissions', /production needs/],
  ])('%s', async (_, changes, path, message) => {
    const before = gateway.engine.settings
    const faults = await faultsOf(config({ limits: { maxRows: 1 }, ...changes() }))
    expect(faults).toContainEqual({ path, message: expect.stringMatching(message) })
    expect(gateway.engine.settings).toBe(before)
    expect(await rowsOf('select id from notes')).toEqual({ rows: [[1], [2], [3]] })
    expect((await query('select text from notes')).status).toBe(403)
  })
})
