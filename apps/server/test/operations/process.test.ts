/** The process for operators: the internal port, the log, the end of the process. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import type { ServerProcess } from '../support/server-process.ts'

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

const local = { connections: { main: { url: 'shop.db', create: true } } }

function start(config: object, env: Readonly<Record<string, string>> = {}): ServerProcess {
  program.folder.write('engine.config.json', JSON.stringify({ port: 0, ...config }))
  return program.start([], env)
}

function internalOf(server: ServerProcess): string {
  return (JSON.parse(server.stdout()) as { readonly internal: string }).internal
}

function lines(server: ServerProcess): readonly Readonly<Record<string, unknown>>[] {
  const text = server.stderr().trimEnd()
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line))
}

test('the internal port has health with names, and metrics; the public one has neither in production', async () => {
  const server = start({ ...local, open: true, internal: { port: 0 } }, { NODE_ENV: 'production' })
  const url = await server.ready()
  const internal = internalOf(server)
  const health = await (await fetch(`${internal}/health/ready`)).json()
  expect(health).toEqual({ status: 'ready', connections: { main: true } })
  const metrics = await (await fetch(`${internal}/metrics`)).text()
  expect(metrics).toContain('process_resident_memory_bytes')
  expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' })
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  expect((await fetch(`${internal}/data`, { method: 'POST' })).status).toBe(404)
})

test('requests are logged where that is wanted, by route, with the id that the client sent', async () => {
  const server = start({ ...local, log: { requests: true } })
  const url = await server.ready()
  const response = await fetch(`${url}/health/live?secret=x`, {
    headers: { 'x-request-id': 'from-the-client' },
  })
  expect(response.headers.get('x-request-id')).toBe('from-the-client')
  await vi.waitFor(
    () =>
      expect(lines(server)).toContainEqual(
        expect.objectContaining({
          msg: 'request',
          correlation_id: 'from-the-client',
          method: 'GET',
          route: '/health/live',
          status: 200,
          ip: '127.0.0.1',
          duration_ms: expect.any(Number),
        }),
      ),
    { timeout: 15_000 },
  )
  expect(server.stderr()).not.toContain('secret=x')
})

test('an id that is not sane is replaced', async () => {
  const url = await start(local).ready()
  for (const id of ['a b', 'x'.repeat(129), 'é', '<script>']) {
    const response = await fetch(`${url}/health/live`, { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  }
})

test('a silent log is silent', async () => {
  const server = start({ ...local, log: { level: 'silent', requests: true } })
  await fetch(`${await server.ready()}/health/live`)
  server.signal('SIGTERM')
  expect(await server.exit()).toBe(0)
  expect(server.stderr()).toBe('')
})

test.each([
  ['is thrown', "setTimeout(() => { throw new Error('a bug') }, 0)"],
  ['is a rejection', "Promise.reject(new Error('a bug'))"],
])('an error that nobody caught ends the process, and is logged: one that %s', async (_, bug) => {
  program.folder.write(
    'engine.config.ts',
    `export default {
       port: 0,
       ...${JSON.stringify(local)},
       actions: {
         fail: {
           roles: ['anonymous'],
           input: { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } },
           run: () => { ${bug} },
         },
       },
     }`,
  )
  const server = program.start([])
  const url = await server.ready()
  await fetch(`${url}/actions/fail`, { method: 'POST' }).catch(() => undefined)
  expect(await server.exit()).toBe(1)
  expect(lines(server).at(-1)).toMatchObject({
    level: 50,
    msg: 'the process ends: an error was not caught',
    err: { message: 'a bug' },
  })
})

describePostgres('with work that does not end', () => {
  let database: pg.Client
  let url: string

  beforeEach(async () => {
    url = await createDatabase('stopping')
    database = new pg.Client({ connectionString: url })
    await database.connect()
    await database.query('create table counters (id int primary key, n int)')
    await database.query('insert into counters values (1, 0)')
  })
  afterEach(() => database.end())

  const update = { sql: 'update main.counters set n = n + 1', params: [], method: 'run' }
  const waiting = async () => {
    const { rows } = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(rows).toHaveLength(1)
  }
  const begin = async (server: ServerProcess): Promise<void> => {
    const address = await server.ready()
    await database.query('begin; update counters set n = 10')
    fetch(`${address}/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(update),
    }).catch(() => undefined)
    await vi.waitFor(waiting, { timeout: 10_000 })
  }

  test('health on the internal port says that it stops, as long as it does', async () => {
    const server = start({ connections: { main: url }, internal: { port: 0 } })
    await begin(server)
    const internal = internalOf(server)
    expect((await fetch(`${internal}/health/ready`)).status).toBe(200)
    server.signal('SIGTERM')
    await vi.waitFor(
      async () => expect((await fetch(`${internal}/health/ready`)).status).toBe(503),
      { timeout: 8_000 },
    )
    expect((await fetch(`${internal}/health/live`)).status).toBe(200)
    await database.query('rollback')
    expect(await server.exit()).toBe(0)
  })

  test('a second signal ends it without waiting: exit 1, not 0', async () => {
    const server = start({ connections: { main: url } })
    await begin(server)
    server.signal('SIGTERM')
    await vi.waitFor(() => expect(server.stderr()).toContain('"stopping"'), { timeout: 5_000 })
    server.signal('SIGINT')
    expect(await server.exit()).toBe(1)
    await database.query('rollback')
  })
})
