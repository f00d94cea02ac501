/** Connections that are added, changed and removed while the server runs, and the sessions of the wire protocol meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, defineAction, silentLog } from '@engine/core'
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type RunningServer, serve } from '../../src/serve.ts'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

const items = (origin: string) => `
  create table items (n integer primary key, origin text not null);
  insert into items select n, '${origin}' from generate_series(1, 20) n;
`

let x: TestDatabase
let y: TestDatabase
let server: RunningServer
let release = Promise.withResolvers<void>()

const everything = (name: string) => ({
  [name]: { table: `${name}.items`, roles: ['anonymous'], select: {}, insert: {} },
})

/** `main` is `of`; with `extra`, another connection is there, too. */
const config = (of: TestDatabase, extra?: TestDatabase, changes: Partial<Config> = {}): Config => ({
  connections: { main: of.url, ...(extra === undefined ? {} : { extra: extra.url }) },
  defaultConnection: 'main',
  permissions: { ...everything('main'), ...(extra === undefined ? {} : everything('extra')) },
  channels: [{ channel: 'main.news', roles: ['anonymous'] }],
  actions: {
    later: defineAction({
      input: z.object({}),
      roles: ['anonymous'],
      run: async ({ db }) => {
        await release.promise
        return db.selectFrom('main.items').select('origin').limit(1).executeTakeFirstOrThrow()
      },
    }),
  },
  pgWire: { port: 0, auth: { strategy: ['trust'] } },
  ...changes,
})

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const originOf = async (table: string): Promise<unknown> => {
  const sql = `select distinct origin from ${table}`
  const response = await post('/data', { sql, params: [], method: 'values' })
  const body = (await response.json()) as { rows?: readonly unknown[][]; error?: string }
  return body.rows?.join() ?? body.error
}

const distinct = 'select distinct origin from items'

/** Connections of the server to a database. */
const connectionsTo = async (database: TestDatabase): Promise<readonly unknown[]> => {
  const rows = await database.rows(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' order by pid",
  )
  return rows.map((row) => Object.values(row)[0])
}

const withWire = async (work: (client: WireClient) => Promise<void>): Promise<void> => {
  const client = await connectWire({ address: server.pgWireAddress ?? '' })
  try {
    await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', codeOf)

describePostgres('connections of a running server', () => {
  beforeAll(async () => {
    x = await openPostgres(items('x'))
    y = await openPostgres(items('y'))
    const started = { port: 0, host: '127.0.0.1', isDevelopment: false, log: silentLog }
    server = await serve({ ...started, config: config(x) })
  })
  afterAll(async () => {
    await server.stop(0)
    await Promise.all([x.remove(), y.remove()])
  })
  beforeEach(async () => {
    release = Promise.withResolvers()
    await server.reconfigure(config(x))
  })

  test('a new one is there at once, a removed one is closed and answers like an unknown one', async () => {
    expect(await originOf('extra.items')).toBe('TABLE_NOT_FOUND')
    await server.reconfigure(config(x, y))
    expect(await originOf('extra.items')).toBe('y')
    expect((await connectionsTo(y)).length).toBeGreaterThan(0)
    await server.reconfigure(config(x))
    expect(await originOf('extra.items')).toBe('TABLE_NOT_FOUND')
    await vi.waitFor(async () => expect(await connectionsTo(y)).toEqual([]), 10_000)
  })

  test('one with the same settings keeps its connections', async () => {
    expect(await originOf('items')).toBe('x')
    const before = await connectionsTo(x)
    await server.reconfigure(config(x, y, { limits: { maxRows: 5 } }))
    expect(await originOf('items')).toBe('x')
    expect(await connectionsTo(x)).toEqual(before)
  })

  test('requests and transactions that run end on the database on which they began', async () => {
    await withWire(async (client) => {
      await client.query('begin')
      expect(await rowsOf(client, distinct)).toEqual([['x']])
      const later = post('/actions/later', {})
      await vi.waitFor(() => expect(server.engine.load().running).toBe(1), 10_000)
      await server.reconfigure(config(y))
      expect(await originOf('items')).toBe('y')
      expect(await rowsOf(client, distinct)).toEqual([['x']])
      await client.query("insert into items values (100, 'new')")
      await client.query('commit')
      expect(await rowsOf(client, distinct)).toEqual([['y']])
      expect((await connectionsTo(x)).length).toBeGreaterThan(0)
      release.resolve()
      expect(await (await later).json()).toMatchObject({ origin: 'x' })
      await vi.waitFor(async () => expect(await connectionsTo(x)).toEqual([]), 10_000)
    })
    expect(await x.rows('delete from items where n = 100 returning origin')).toHaveLength(1)
  })

  test('under load nothing fails, and databases that are not configured any more are closed', async () => {
    const isOver = new AbortController()
    const origins = new Set<unknown>()
    const repeat = async (work: () => Promise<unknown>) => {
      while (!isOver.signal.aborted) origins.add(await work())
    }
    await withWire(async (plain) =>
      withWire(async (within) => {
        const ofSession = async () => String(await rowsOf(plain, distinct))
        const ofTransaction = async () => {
          await within.query('begin')
          const first = String(await rowsOf(within, distinct))
          await sleep(3)
          const second = String(await rowsOf(within, distinct))
          await within.query('commit')
          return first === second ? first : `${first} then ${second}`
        }
        const work = [
          ...Array.from({ length: 8 }, () => () => originOf('items')),
          ofSession,
          ofTransaction,
        ]
        const running = work.map(repeat)
        for (let i = 0; i < 20; i += 1) {
          const [one, other] = i % 2 === 0 ? [y, x] : [x, y]
          await server.reconfigure(config(one, i % 4 < 2 ? other : undefined))
          expect(await originOf('items')).toBe(i % 2 === 0 ? 'y' : 'x')
        }
        isOver.abort()
        await Promise.all(running)
      }),
    )
    expect([...origins].toSorted()).toEqual(['x', 'y'])
    await vi.waitFor(async () => expect(await connectionsTo(y)).toEqual([]), 10_000)
  })

  test('a session loses a table with its next statement, prepared ones too; a transaction keeps it', async () => {
    const named = { name: 'origins', text: distinct }
    await withWire(async (client) =>
      withWire(async (within) => {
        expect((await client.query(named)).rowCount).toBe(1)
        await within.query('begin')
        await within.query('declare all_items cursor with hold for select n from items order by n')
        expect(await rowsOf(within, 'fetch 1 from all_items')).toEqual([[1]])
        await server.reconfigure(config(x, undefined, closed))
        expect(await failure(client.query(distinct))).toBe('42501')
        expect(await failure(client.query(named))).toBe('42501')
        expect(await rowsOf(within, 'fetch 1 from all_items')).toEqual([[2]])
        expect(await rowsOf(within, distinct)).toEqual([['x']])
        await within.query('commit')
        expect(await failure(within.query('fetch 1 from all_items'))).toBe('34000')
        expect(await failure(within.query(distinct))).toBe('42501')
        await server.reconfigure(config(x))
        expect((await client.query(named)).rowCount).toBe(1)
      }),
    )
  })

  test('a session that listens stays, unless the database of its channel is another one', async () => {
    const client = await connectWire({ address: server.pgWireAddress ?? '' })
    const heard: unknown[] = []
    client.on('notification', ({ payload }) => heard.push(payload))
    await client.query('listen news')
    await server.reconfigure(config(x, y, { limits: { maxRows: 5 } }))
    await x.run("notify news, 'one'")
    await vi.waitFor(() => expect(heard).toEqual(['one']), 10_000)
    await server.reconfigure(config(y))
    expect(await client.ended).toMatchObject({ code: '57P01' })
  })
})

/** Nothing but another table is permitted. */
const closed = {
  permissions: { items: { table: 'main.items', roles: ['nobody'], select: {} } },
}
