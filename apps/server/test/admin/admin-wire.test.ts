/** @module Connections of the wire protocol, as administrators see and end them. */
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'

let node: Accounts
let address: string
let clients: pg.Client[]

beforeEach(async () => {
  clients = []
  const pgWire = { port: 0, catalog: 'builtin', auth: { strategy: ['apiKey'] } } as const
  node = await openAccounts({}, { config: { pgWire, audit: { enabled: true } } })
  address = (await node.gateway.engine.startPgWire()).address
})
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  await node.close()
})

const admin = (method: string, path: string) =>
  node.call(method, `/admin/api${path}`, { token: masterKey })
const listed = async () => (await admin('GET', '/wire-connections')).body.connections
const endless =
  'select count(*) from main.notes a, main.notes b, main.notes c where a.id + b.id + c.id < 0'

async function connect(password: string): Promise<pg.Client & { readonly ended: Promise<string> }> {
  const [host, port] = address.split(':')
  const client = new pg.Client({
    host,
    port: Number(port),
    user: 'x',
    password,
    database: 'x',
    application_name: 'reports',
  })
  clients.push(client)
  const ended = new Promise<string>((resolve) => {
    client.on('error', (error: Error & { readonly code?: string }) => resolve(error.code ?? ''))
  })
  await client.connect()
  return Object.assign(client, { ended })
}

test('who is connected, and what runs', async () => {
  expect((await admin('GET', '/wire-connections')).body).toEqual({
    isServed: true,
    connections: [],
  })
  const input = { name: 'nightly', roles: ['user'] }
  const { body } = await node.call('POST', '/admin/api/api-keys', { token: masterKey, body: input })
  const client = await connect(body.apiKey.key)
  await client.query('begin')
  await client.query('select note from main.notes')
  expect(await listed()).toEqual([
    {
      id: expect.any(Number),
      caller: expect.stringMatching(/./),
      roles: ['user'],
      credentialId: body.apiKey.id,
      ip: '127.0.0.1',
      isEncrypted: false,
      applicationName: 'reports',
      state: 'idleInTransaction',
      since: expect.stringMatching(/Z$/),
      startedAt: expect.stringMatching(/Z$/),
      statement: 'select note from main.notes',
      correlationId: expect.any(String),
    },
  ])
  expect(JSON.stringify(await listed())).not.toContain(body.apiKey.key)
})

test('a statement is stopped, and the connection goes on; then it is ended', async () => {
  node.execute(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into notes select i, null, null from n',
  )
  const client = await connect(masterKey)
  const stopped = client.query(endless).catch((error: { readonly code: string }) => error.code)
  // Constants are values, as everywhere. A connection is active from a message on, and knows the statement once it is parsed.
  const running = { state: 'active', caller: 'admin', statement: endless.replace('< 0', '< $1') }
  await expect.poll(async () => (await listed())[0]).toMatchObject(running)
  const [{ id }] = await listed()
  expect((await admin('POST', `/wire-connections/${id}/cancel`)).body).toEqual({ success: true })
  expect(await stopped).toBe('57014')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect((await admin('DELETE', `/wire-connections/${id}`)).body).toEqual({ success: true })
  expect(await client.ended).toBe('57P01')
  await expect.poll(listed).toEqual([])
  const { body } = await admin('GET', '/audit?kind=admin')
  expect(body.entries).toMatchObject([
    { action: 'wire-connection-ended', facts: { processId: id, caller: 'admin' } },
    { action: 'wire-statement-cancelled', facts: { processId: id, applicationName: 'reports' } },
  ])
})

test('a connection that is not there is 404, whatever its name', async () => {
  for (const id of ['1', 'x', '99999999999']) {
    expect((await admin('DELETE', `/wire-connections/${id}`)).status).toBe(404)
    expect((await admin('POST', `/wire-connections/${id}/cancel`)).status).toBe(404)
  }
  expect((await node.call('GET', '/admin/api/wire-connections')).status).toBe(401)
})
