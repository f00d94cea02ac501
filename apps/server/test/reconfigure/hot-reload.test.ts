/** The program applies its configuration file again: when it is saved, and on SIGHUP. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { connectWire, rowsOf } from '../support/wire.ts'

let folder: TestFolder
let server: ServerProcess

beforeEach(() => {
  folder = createFolder()
})
afterEach(async () => {
  server.signal('SIGKILL')
  await server.exit()
  folder.remove()
})

const patience = { timeout: 20_000, interval: 50 }

const masterKey = 'a master key of at least thirty-two bytes'

/** A configuration whose limit is in a file that it imports, and whose header is a variable. */
const module = (changes = '') => `
  import { limits } from './limits.ts'
  export default {
    port: 0,
    connections: { main: { url: 'shop.db', create: true } },
    open: true,
    masterKey: '${masterKey}',
    log: { level: 'info' },
    limits,
    security: { headers: { 'X-Team': process.env.TEAM } },
    pgWire: { port: 0, auth: { strategy: ['trust'] } },
    ${changes}
  }
`
const limits = (maxRows: number) => `export const limits: object = { maxRows: ${maxRows} }`

function start(args: readonly string[], env: Readonly<Record<string, string>>): ServerProcess {
  folder.write('limits.ts', limits(1))
  folder.write('.env', 'TEAM=first\n')
  folder.write('engine.config.ts', module())
  server = startServer(args, { cwd: folder.path, env: { TEAM: 'first', ...env } })
  return server
}

const numbers = { sql: 'select * from generate_series(1, 9)', params: [], method: 'values' }

async function ask(url: string): Promise<{ rows: number; team: string | null }> {
  const response = await fetch(`${url}/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(numbers),
  })
  const { rows } = (await response.json()) as { rows: readonly unknown[] }
  return { rows: rows.length, team: response.headers.get('x-team') }
}

/** What administrators see of the file. */
async function refused(url: string): Promise<unknown> {
  const response = await fetch(`${url}/admin/api/status`, {
    headers: { authorization: `Bearer ${masterKey}` },
  })
  return ((await response.json()) as { readonly refusedConfiguration: unknown })
    .refusedConfiguration
}

const logged = (text: string | RegExp) =>
  vi.waitFor(() => expect(server.stderr()).toMatch(text), patience)

test('in development, a saved file is applied, with what it imports, and .env; sessions stay', async () => {
  const { http, pgWire = '' } = await start([], { NODE_ENV: 'development' }).readyLine()
  const session = await connectWire({ address: pgWire })
  expect(await ask(http)).toEqual({ rows: 1, team: 'first' })
  folder.write('limits.ts', limits(2))
  await vi.waitFor(
    async () => expect(await ask(http)).toEqual({ rows: 2, team: 'first' }),
    patience,
  )
  folder.write('.env', 'TEAM=second\n')
  await vi.waitFor(
    async () => expect(await ask(http)).toEqual({ rows: 2, team: 'second' }),
    patience,
  )
  expect(await refused(http)).toBeNull()
  folder.write('engine.config.ts', module("permissions: { all: { table: 'main.nothing' } },"))
  await logged(/"path":"permissions\.all/)
  expect(await refused(http)).toMatchObject({
    file: 'engine.config.ts',
    line: null,
    faults: [{ path: 'permissions.all.roles' }, { path: 'permissions.all' }],
  })
  folder.write('engine.config.ts', module('} of {'))
  await logged(/cannot be loaded/)
  expect(await refused(http)).toMatchObject({
    file: 'engine.config.ts',
    line: 12,
    faults: [{ path: '', message: expect.stringContaining('cannot be loaded') }],
  })
  folder.write('engine.config.ts', module('port: 4, pgWire: { port: 4 },'))
  await logged(/"path":"port","message":"[^"]*needs a restart/)
  expect(await ask(http)).toEqual({ rows: 2, team: 'second' })
  folder.write('engine.config.ts', module('limits: { maxRows: 3 },'))
  await vi.waitFor(async () => expect((await ask(http)).rows).toBe(3), patience)
  expect(await refused(http)).toBeNull()
  expect(await rowsOf(session, 'select 1')).toEqual([[1]])
  await session.end()
})

test('in production it is applied on SIGHUP, and only then', async () => {
  const { http } = await start([], { NODE_ENV: 'production' }).readyLine()
  folder.write('limits.ts', limits(2))
  expect(await ask(http)).toEqual({ rows: 1, team: 'first' })
  server.signal('SIGHUP')
  await vi.waitFor(async () => expect((await ask(http)).rows).toBe(2), patience)
  folder.write('engine.config.ts', module("masterKey: 'another master key, thirty-two bytes too',"))
  server.signal('SIGHUP')
  await logged(/"path":"masterKey","message":"[^"]*needs a restart/)
  expect((await ask(http)).rows).toBe(2)
})
