/** `createEngine(config).startPgWire()`: the wire protocol without a gateway, with accounts and with API keys alone. */
import { openAuthProvider } from '@engine/auth'
import { type Config, createEngine, type Engine } from '@engine/core'
import { createGateway } from '@engine/http'
import { createPgWireServer } from '@engine/pgwire'
import { serviceDatabases } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authSecret, masterKey, newEmail, password } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { adapters } from '../support/gateway.ts'
import { refusal, withWire } from '../support/wire.ts'

// Hashes passwords and starts servers: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 120_000 })

let folder: TestFolder
const engines: Engine[] = []

beforeEach(() => {
  folder = createFolder()
  const notes = new Database(`${folder.path}/notes.db`)
  notes.exec(
    "create table notes (id integer primary key, note text); insert into notes values (1, 'a')",
  )
  notes.close()
})
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
  folder.remove()
})

const options = { adapters, serviceDatabases, pgWire: createPgWireServer }

function configOf(more: Partial<Config>): Config {
  return {
    connections: { main: `${folder.path}/notes.db` },
    permissions: [{ name: 'notes', table: 'main.notes', roles: ['user'], select: {} }],
    service_db: `${folder.path}/service`,
    ...more,
  }
}

async function addressOf(config: Config): Promise<string> {
  const engine = await createEngine(config, { ...options, auth: openAuthProvider })
  engines.push(engine)
  return (await engine.startPgWire()).address
}

const read = (address: string, user: string, secret: string) =>
  withWire({ address, user, password: secret }, async (client) => {
    return (await client.query('select note from main.notes')).rows
  })

test('with auth, accounts, tokens and API keys are taken', async () => {
  const strategy = ['jwt', 'apiKey', 'password'] as const
  const config = configOf({
    auth: { secret: authSecret, throttle: false },
    pgWire: { port: 0, auth: { strategy }, catalog: 'builtin' },
  })
  const gateway = await createGateway(config, { ...options, isDevelopment: true })
  const client = { ip: '127.0.0.1', userAgent: undefined, correlationId: 'test' }
  const email = newEmail()
  const signedUp = await gateway.auth?.signUp({ email, password }, client)
  const key = await gateway.auth?.admin.createApiKey({ name: 'reader', roles: ['user'] })
  await gateway.close()

  const address = await addressOf(config)
  for (const secret of [password, signedUp?.session.token ?? '', key?.key ?? '']) {
    expect(await read(address, email, secret)).toEqual([{ note: 'a' }])
  }
  expect(await refusal({ address, user: email, password: `${password}!` })).toBe('28P01')
})

test('API keys need no auth, over HTTP and over the wire', async () => {
  const config = configOf({
    masterKey,
    pgWire: { port: 0, auth: { strategy: ['apiKey'] }, catalog: 'builtin' },
  })
  const gateway = await createGateway(config, { ...options, isDevelopment: true })
  const send = async (path: string, body: object, token?: string) => {
    const response = await gateway.app.request(
      `http://gateway.test${path}`,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
    )
    // biome-ignore lint/suspicious/noExplicitAny: its shape is up to the test
    const answer: any = await response.json()
    return { status: response.status, body: answer }
  }
  const statement = { sql: 'select note from main.notes', params: [], method: 'all' }
  const made = await send('/admin/api/api-keys', { name: 'reader', roles: ['user'] }, masterKey)
  expect(made.status).toBe(201)
  const { key } = made.body.apiKey
  expect(await send('/data', statement, key)).toEqual({ status: 200, body: { rows: [['a']] } })
  expect((await send('/data', statement)).status).toBe(403)
  expect((await send('/data', statement, 'some.other.token')).status).toBe(403)
  expect(
    (await send('/data', statement, `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`)).status,
  ).toBe(401)
  const { address } = await gateway.engine.startPgWire()
  expect(await read(address, 'reader', key)).toEqual([{ note: 'a' }])
  await gateway.close()

  const alone = await addressOf(config)
  expect(await read(alone, 'reader', key)).toEqual([{ note: 'a' }])
  expect(await read(alone, 'admin', masterKey)).toEqual([{ note: 'a' }])
  expect(await refusal({ address: alone, user: 'reader', password: 'nothing' })).toBe('28P01')
})
