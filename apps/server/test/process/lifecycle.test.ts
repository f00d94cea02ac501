/** How the program starts, reports that it is ready, logs, and ends. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

let folder: TestFolder
let server: ServerProcess | undefined

beforeEach(() => {
  folder = createFolder()
})
afterEach(async () => {
  server?.signal('SIGKILL')
  await server?.exit()
  server = undefined
  folder.remove()
})

const start = (config: object, args: readonly string[] = [], env = {}): ServerProcess => {
  folder.write('engine.config.json', JSON.stringify({ port: 0, ...config }))
  server = startServer(args, { cwd: folder.path, env })
  return server
}
const local = { connections: { main: { url: 'shop.db', create: true } } }

function post(url: string, sql: string, params: readonly unknown[] = []): Promise<Response> {
  return fetch(`${url}/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql, params, method: 'get' }),
  })
}

describe('start', () => {
  test('one line on stdout says that it is ready; stderr is lines of JSON', async () => {
    const running = start(local)
    const url = await running.ready()
    expect((await post(url, 'select 1')).status).toBe(200)
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    running.signal('SIGTERM')
    expect(await running.exit()).toBe(0)
    expect(running.stdout()).toBe(`{"ready":true,"http":"${url}"}\n`)
    const lines = running.stderr().trimEnd().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) })
    expect(running.stderr()).toContain('OPEN MODE')
  })

  test('a port that is taken is a clear error, and exit 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const running = start(local, ['--port', String(port)])
    expect(await running.exit()).toBe(1)
    expect(running.stdout()).toBe('')
    expect(running.stderr()).toMatch(
      new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use.*\\n$`),
    )
    taken.close()
  })

  test.each([
    ['production', undefined],
    ['development', expect.anything()],
  ])('details of errors depend on NODE_ENV=%s', async (mode, details) => {
    const url = await start({ ...local, open: true }, [], { NODE_ENV: mode }).ready()
    const response = await fetch(`${url}/data/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ statements: [{ sql: 'selec', params: [], method: 'all' }] }),
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { details?: unknown }).details).toEqual(details)
  })

  test.runIf(process.platform === 'linux')(
    'the young generation is bounded, unless somebody said how large it may be',
    async () => {
      const words = async (env: Readonly<Record<string, string>>) => {
        const running = start(local, [], env)
        await running.ready()
        const cmdline = readFileSync(`/proc/${running.pid}/cmdline`, 'utf8').split('\0')
        running.signal('SIGTERM')
        expect(await running.exit()).toBe(0)
        return cmdline
      }
      expect(await words({})).toContain('--max-semi-space-size=32')
      const said = { NODE_OPTIONS: '--max-semi-space-size=24' }
      expect(await words(said)).not.toContain('--max-semi-space-size=32')
    },
  )

  test('a database that cannot be reached does not keep it from starting', async () => {
    const running = start({
      connections: { ...local.connections, away: 'postgres://app:pw@127.0.0.1:1/none' },
    })
    const url = await running.ready()
    expect((await post(url, 'select 1')).status).toBe(200)
    expect((await post(url, 'select 1 from away.users')).status).toBe(503)
    expect((await fetch(`${url}/health/ready`)).status).toBe(503)
    await vi.waitFor(() => expect(running.stderr()).toContain('database cannot be reached'), {
      timeout: 15_000,
    })
    expect(running.stderr()).not.toContain('pw@')
    const entries = running
      .stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    const reason = 'connect ECONNREFUSED 127.0.0.1:1'
    const message = `database cannot be reached: ${reason}`
    expect(entries).toContainEqual(
      expect.objectContaining({ connection: 'away', cause: reason, msg: message }),
    )
    expect(running.stderr()).not.toContain('stack')
  })
})

describePostgres('end', () => {
  let url: string
  let watcher: pg.Client

  beforeEach(async () => {
    url = await createDatabase('lifecycle')
    watcher = new pg.Client({ connectionString: url })
    await watcher.connect()
    await watcher.query('create table counters (id int primary key, n int)')
    await watcher.query('insert into counters values (1, 0)')
  })
  afterEach(() => watcher.end())

  const isBlocked = async () => {
    const { rows } = await watcher.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  const update = 'update main.counters set n = n + 1 where id = 1 returning n'

  test('SIGTERM: a running request is answered, no new connection is taken, exit 0', async () => {
    const running = start({ connections: { main: url } })
    const address = await running.ready()
    await watcher.query('begin; update counters set n = 10 where id = 1')
    const answer = post(address, update)
    await vi.waitFor(async () => expect(await isBlocked()).toBe(1), { timeout: 10_000 })
    running.signal('SIGTERM')
    await vi.waitFor(
      () => expect(fetch(`${address}/health/live`)).rejects.toThrow('fetch failed'),
      {
        timeout: 10_000,
      },
    )
    await watcher.query('commit')
    const response = await answer
    expect([response.status, await response.json()]).toEqual([200, { rows: [11] }])
    expect(response.headers.get('connection')).toBe('close')
    expect(await running.exit()).toBe(0)
  })

  test('a client that keeps asking on its connection does not hold it up', async () => {
    const running = start({ connections: { main: url } })
    const address = await running.ready()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let answers = 0
    let isOver = false
    const ask = () => {
      const asked = request(`${address}/health/live`, { agent }, (response) => {
        answers += 1
        response.resume().on('end', ask)
      })
      asked.on('error', () => {
        isOver = true
      })
      asked.end()
    }
    ask()
    await vi.waitFor(() => expect(answers).toBeGreaterThan(3), { timeout: 10_000 })
    running.signal('SIGTERM')
    expect(await running.exit()).toBe(0)
    await vi.waitFor(() => expect(isOver).toBe(true), { timeout: 15_000 })
    agent.destroy()
  })

  test('a second signal ends it at once', async () => {
    const running = start({ connections: { main: url } })
    const address = await running.ready()
    await watcher.query('begin; update counters set n = 10 where id = 1')
    const answer = post(address, update).catch(() => 'broken')
    await vi.waitFor(async () => expect(await isBlocked()).toBe(1), { timeout: 10_000 })
    running.signal('SIGTERM')
    await vi.waitFor(() => expect(running.stderr()).toContain('stopping'), { timeout: 10_000 })
    running.signal('SIGTERM')
    expect(await running.exit()).toBe(1)
    expect(await answer).toBe('broken')
    await watcher.query('rollback')
  })
})
