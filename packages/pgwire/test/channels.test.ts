/** LISTEN and NOTIFY: who may use which channel, when notifications arrive, and what follows a lost connection. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { GatewayError } from '@engine/core'
import type { Authenticated, AuthProvider } from '@engine/core/server'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWireServer, type WireServer } from './support/wire-server.ts'

const masterKey = 'a-master-key-of-many-characters-0123456789'

interface Client extends pg.Client {
  /** `channel: payload` */
  readonly heard: string[]
  /** Payloads of those that the client has sent itself, by the process id. */
  readonly own: string[]
  readonly notices: string[]
  readonly ended: Promise<string | undefined>
}

const channels = [
  { channel: 'main.orders', roles: ['clerk'], notify: true },
  { channel: 'main.News of "today"', roles: ['*'] },
  { channel: 'main.jobs', roles: ['worker'], notify: true, listen: false },
]

describePostgres('channels', () => {
  let url: string
  let owner: pg.Client
  let wire: WireServer
  let clients: Client[]
  /** Roles by user; without an entry the user does not exist any more. */
  let roles: Map<string, readonly string[]>
  let nowMs: number

  const authenticated = (id: string): Authenticated => {
    const own = roles.get(id)
    if (own === undefined) throw new GatewayError('unauthorized', 'gone', { sqlState: '28000' })
    return {
      caller: { kind: 'user', id, roles: own, fields: {} },
      credential: 'session',
      credentialId: undefined,
      expiresAtMs: undefined,
      renew: async () => authenticated(id),
    }
  }
  /** The password is the name of the user. */
  const provider: AuthProvider = {
    authenticate: () => {
      throw new GatewayError('unauthorized', 'no tokens')
    },
    authenticatePassword: async (_user, password) => authenticated(password),
  }

  beforeAll(async () => {
    url = await createDatabase('channels')
    owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query('create table items (id int4 primary key)')
  })
  afterAll(() => owner?.end())
  beforeEach(async () => {
    clients = []
    nowMs = Date.now()
    roles = new Map([
      ['ada', ['clerk']],
      ['bob', ['clerk']],
      ['eve', ['guest']],
      ['joe', ['worker']],
    ])
    wire = await openWireServer({
      url,
      provider,
      clock: () => nowMs,
      config: {
        masterKey,
        channels,
        permissions: { items: { table: 'main.items', roles: ['clerk'], select: {}, insert: {} } },
      },
      pgWire: { auth: { strategy: ['apiKey', 'password'] } },
    })
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await wire?.close()
  })

  const connect = async (password: string): Promise<Client> => {
    const [host, port] = wire.address.split(':')
    const client = new pg.Client({ host, port: Number(port), user: 'a@b.c', password })
    const heard: string[] = []
    const own: string[] = []
    const notices: string[] = []
    client.on('notification', ({ channel, payload, processId }) => {
      const { processID } = client as pg.Client & { readonly processID: number }
      expect([0, processID]).toContain(processId)
      if (processId === processID) own.push(payload ?? '')
      heard.push(`${channel}: ${payload}`)
    })
    client.on('notice', ({ message }) => void notices.push(message ?? ''))
    const ended = new Promise<string | undefined>((resolve) => {
      let code: string | undefined
      client.on('error', (error: Error & { readonly code?: string }) => {
        code ??= error.code
      })
      client.on('end', () => resolve(code))
    })
    await client.connect()
    const whole = Object.assign(client, { heard, own, notices, ended })
    clients.push(whole)
    return whole
  }
  /** Notifications of a channel arrive in order: everything before this one has arrived. */
  const reached = async (client: Client, text: string) => {
    await owner.query("select pg_notify('orders', $1)", [text])
    await expect.poll(() => client.heard.at(-1)).toBe(`orders: ${text}`)
    return client.heard.splice(0).slice(0, -1)
  }
  const refused = { code: '42501' }

  test('pg_notify() by itself is NOTIFY, with any values', async () => {
    const ada = await connect('ada')
    await ada.query('listen orders')
    const call = 'select pg_notify($1, $2)'
    const answer = await ada.query(call, ['orders', "it's $1"])
    expect(answer).toMatchObject({ command: 'SELECT', rowCount: 1, rows: [{ pg_notify: '' }] })
    expect(answer.fields).toMatchObject([{ name: 'pg_notify', dataTypeID: 2278 }])
    await ada.query("select pg_catalog.pg_notify('main.orders', 'ab') as sent")
    await ada.query(call, ['orders', null])
    await ada.query('begin')
    await ada.query("select pg_notify('orders', 'undone')")
    await ada.query('rollback')
    await ada.query('begin read only')
    await ada.query("select pg_notify('orders', 'read only')")
    await ada.query('commit')
    expect(await reached(ada, 'end')).toEqual([
      "orders: it's $1",
      'orders: ab',
      'orders: ',
      'orders: read only',
    ])
  })

  test('pg_notify() needs the same grant, and a name', async () => {
    const eve = await connect('eve')
    const call = 'select pg_notify($1, $2)'
    await expect(eve.query(call, ['orders', 'x'])).rejects.toMatchObject(refused)
    await expect(eve.query(call, ['nothing', 'x'])).rejects.toMatchObject(refused)
    await expect(eve.query(call, [null, 'x'])).rejects.toMatchObject({ code: '22023' })
    await expect(eve.query(call, ['', 'x'])).rejects.toMatchObject({ code: '22023' })
    await expect(eve.query(call, ['o'.repeat(64), 'x'])).rejects.toMatchObject({
      code: expect.stringMatching(/^(22023|42501)$/),
    })
  })

  test.each([
    "select pg_notify('orders', 'x'), 1",
    "select 1 where pg_notify('orders', 'x') is null",
    "select pg_notify('orders', i::text) from generate_series(1, 3) i",
    "select pg_notify('orders', pg_notify('orders', 'x')::text)",
  ])('%s is refused', async (sql) => {
    const ada = await connect('ada')
    await ada.query('listen orders')
    await expect(ada.query(sql)).rejects.toMatchObject({ code: '0A000' })
    expect(await reached(ada, 'end')).toEqual([])
  })

  test('notifications arrive while the client waits, its own ones too', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')]
    expect((await ada.query('listen orders')).command).toBe('LISTEN')
    await ada.query('LISTEN "main.orders"')
    await bob.query('listen "main.orders"')
    expect((await bob.query("notify orders, 'it''s new'")).command).toBe('NOTIFY')
    await ada.query('notify "main.orders"')
    await owner.query("notify other, 'unseen'")
    expect(await reached(ada, 'end')).toEqual(["orders: it's new", 'orders: '])
    await expect.poll(() => bob.heard.length).toBe(3)
    expect(bob.heard).toEqual(["main.orders: it's new", 'main.orders: ', 'main.orders: end'])
    expect((await ada.query('unlisten orders')).command).toBe('UNLISTEN')
    await owner.query("notify orders, 'later'")
    await expect.poll(() => bob.heard.at(-1)).toBe('main.orders: later')
    await ada.query('select 1 as one')
    expect(ada.heard).toEqual([])
  })

  test('own notifications come before the answer to NOTIFY, with the process id of the session', async () => {
    const ada = await connect('ada')
    const bob = await connect('bob')
    await ada.query('listen orders')
    await bob.query('listen orders')
    await ada.query("notify orders, 'a'")
    expect(ada.heard).toEqual(['orders: a'])
    await ada.query("notify orders, 'b'; unlisten orders")
    await reached(bob, 'after b')
    await ada.query('listen orders')
    await ada.query("begin; notify orders, 'c'; savepoint s; notify orders, 'd'; rollback to s")
    await ada.query("notify orders, 'c'")
    expect(ada.own).toEqual(['a'])
    await ada.query('commit')
    expect(ada.own).toEqual(['a', 'c'])
    await ada.query(
      'begin; listen "News of ""today"""; notify orders, \'e\'; unlisten orders; commit',
    )
    await reached(bob, 'after e')
    await ada.query('listen orders')
    await bob.query("notify orders, 'a'")
    await bob.query("notify orders, 'a'")
    await ada.query("notify orders, 'a'")
    await reached(bob, 'end')
    await expect.poll(() => ada.heard.at(-1)).toBe('orders: end')
    expect(ada.heard).toEqual(['a', 'c', 'a', 'a', 'a', 'end'].map((text) => `orders: ${text}`))
    expect(ada.own).toEqual(['a', 'c', 'a'])
    expect(bob.own).toEqual(['a', 'a'])
  })

  test('COMMIT waits for a thousand own notifications at most, and all arrive', async () => {
    const ada = await connect('ada')
    await ada.query('listen orders')
    const sent = Array.from({ length: 1_002 }, (_, i) => `notify orders, '${i}'`)
    await ada.query(`begin; ${sent.join('; ')}; commit`)
    await expect.poll(() => ada.heard.at(-1)).toBe('orders: 1001')
    expect(ada.heard).toHaveLength(1_002)
    expect(ada.own).toHaveLength(1_000)
  })

  test('a channel that is not granted is refused like one that does not exist', async () => {
    const [eve, joe, ada] = [await connect('eve'), await connect('joe'), await connect('ada')]
    for (const sql of ['listen orders', 'listen missing', 'listen "nowhere.orders"']) {
      const [, name] = /listen "?([^"]*)/.exec(sql) ?? []
      await expect(eve.query(sql)).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining(`permission denied`),
        detail: expect.stringContaining('code=PERMISSION_DENIED'),
      })
      await expect(eve.query(sql.replace('listen', 'notify'))).rejects.toMatchObject(refused)
      expect(name).toBeTruthy()
    }
    await eve.query('listen "News of ""today"""')
    await expect(eve.query('notify "News of ""today""", \'mine\'')).rejects.toMatchObject(refused)
    await expect(joe.query('listen jobs')).rejects.toMatchObject(refused)
    await joe.query("notify jobs, 'a'")
    await expect(ada.query('notify jobs')).rejects.toMatchObject(refused)
    await owner.query('notify "News of ""today""", \'sun\'')
    await expect.poll(() => eve.heard).toEqual(['News of "today": sun'])
    expect(
      wire.events.map((event) => [event.kind, 'sql' in event ? event.sql : undefined]),
    ).toEqual(
      expect.arrayContaining([
        ['denial', 'listen orders'],
        ['denial', 'notify jobs'],
        ['query', "notify jobs, 'a'"],
        ['query', 'listen "News of ""today"""'],
      ]),
    )
  })

  test('the master key may use every channel, of any name', async () => {
    const admin = await connect(masterKey)
    const name = `x"; drop table items; --`
    await admin.query(`listen "${name.replaceAll('"', '""')}"`)
    await owner.query('select pg_notify($1, $2)', [name, 'p'])
    await expect.poll(() => admin.heard).toEqual([`${name}: p`])
    await admin.query(`notify "${name.replaceAll('"', '""')}", '${'é'.repeat(3_999)}'`)
    await expect.poll(() => admin.heard.length).toBe(2)
    await expect(admin.query(`notify x, '${'é'.repeat(4_000)}'`)).rejects.toMatchObject({
      code: '22023',
    })
  })

  test('NOTIFY is sent by COMMIT, LISTEN holds from COMMIT on', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')]
    await bob.query('listen orders')
    await ada.query('begin')
    await ada.query('listen orders')
    await ada.query("notify orders, 'lost'")
    await ada.query('rollback')
    await ada.query('begin read only')
    await ada.query("notify orders, 'first'")
    await ada.query('savepoint s')
    await ada.query("notify orders, 'undone'")
    await ada.query('rollback to s')
    await ada.query('savepoint t')
    await ada.query('listen orders')
    await ada.query('rollback to t')
    await expect(ada.query('select nothing')).rejects.toThrow()
    await ada.query('rollback to s')
    expect(await reached(bob, 'open')).toEqual([])
    await ada.query('commit')
    expect(await reached(bob, 'committed')).toEqual(['orders: first'])
    await ada.query('select 1 as one')
    expect(ada.heard).toEqual([])
    // The notification may arrive before the database has answered COMMIT.
    for (let i = 0; i < 50; i += 1) {
      await ada.query("begin; listen orders; notify orders, 'own'; commit")
      expect(await reached(ada, 'end')).toEqual(['orders: own'])
      await ada.query('unlisten *')
    }
  })

  test('a transaction gets none until it ends, and UNLISTEN in it holds then', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')]
    await ada.query('listen orders')
    await bob.query('listen orders')
    await ada.query('begin')
    await reached(bob, 'held')
    await ada.query('select 1 as one')
    expect(ada.heard).toEqual([])
    await ada.query('commit')
    expect(ada.heard).toEqual(['orders: held'])
    await ada.query('begin')
    await ada.query('unlisten *')
    await reached(bob, 'kept')
    await ada.query('rollback')
    expect(ada.heard).toEqual(['orders: held', 'orders: kept'])
    await ada.query('begin')
    await ada.query('unlisten *')
    await reached(bob, 'dropped')
    await ada.query('commit')
    expect(ada.heard.length).toBe(2)
    await ada.query('listen orders')
    await ada.query('discard all')
    await reached(bob, 'dropped, too')
    await ada.query('select 1 as one')
    expect(ada.heard.length).toBe(2)
  })

  test('a session that loses the role hears no more, and one whose credential ends is closed', async () => {
    const [ada, bob, eve] = [await connect('ada'), await connect('bob'), await connect('eve')]
    for (const client of [ada, bob]) await client.query('listen orders')
    await eve.query('listen "News of ""today"""')
    roles.set('ada', ['guest'])
    roles.delete('eve')
    nowMs += 2_000
    await reached(bob, 'secret')
    await expect
      .poll(() => ada.notices)
      .toEqual(['LISTEN "orders" has ended: the rights of the session have changed'])
    expect(ada.heard).toEqual([])
    await expect(ada.query('listen orders')).rejects.toMatchObject(refused)
    await owner.query('notify "News of ""today""", \'secret\'')
    expect(await eve.ended).toBe('28000')
    expect(eve.heard).toEqual([])
  })

  test('psql prints them', async () => {
    const [host = '', port = ''] = wire.address.split(':')
    const bob = await connect('bob')
    await bob.query('listen orders')
    const psql = spawn('psql', ['-XAt', '-h', host, '-p', port, '-U', 'a@b.c', 'main'], {
      env: { PATH: process.env['PATH'], PGPASSWORD: 'ada' },
    })
    let printed = ''
    psql.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    psql.stdin.write('listen orders;\n')
    await expect.poll(() => printed).toBe('LISTEN\n')
    await reached(bob, 'for psql')
    psql.stdin.end('select 1 as one;\n')
    await once(psql, 'close')
    expect(printed).toContain(
      'Asynchronous notification "orders" with payload "for psql" received from server process with PID 0.',
    )
  })

  const listeners = async () =>
    (
      await owner.query<{ readonly pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and query ~ '^listen'`,
      )
    ).rows.map(({ pid }) => pid)

  test('all sessions share one connection, which is replaced when it is lost', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')]
    await ada.query('listen orders')
    await ada.query('listen "News of ""today"""')
    await bob.query('listen orders')
    const [pid, ...others] = await listeners()
    expect(others).toEqual([])
    await owner.query('select pg_terminate_backend($1)', [pid])
    await expect.poll(listeners, { timeout: 10_000 }).toEqual([expect.any(Number)])
    await expect
      .poll(
        async () => {
          await owner.query("notify orders, 'again'")
          await owner.query('notify "News of ""today"""')
          return new Set([...ada.heard, ...bob.heard])
        },
        { timeout: 10_000 },
      )
      .toEqual(new Set(['orders: again', 'News of "today": ']))
    expect(await listeners()).not.toContain(pid)
    await bob.query('unlisten *')
    await ada.end()
    clients.splice(clients.indexOf(ada), 1)
    await expect.poll(listeners).toEqual([])
  })

  test('a session that lets too many wait is ended', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')]
    await ada.query('listen orders')
    await bob.query('listen orders')
    await ada.query('begin')
    await owner.query("select pg_notify('orders', i::text) from generate_series(1, 10001) i")
    expect(await ada.ended).toBe('53400')
    await expect.poll(() => bob.heard.length).toBe(10_001)
  })

  test('a session has a hundred channels at most', async () => {
    const admin = await connect(masterKey)
    for (let i = 0; i < 100; i += 1) await admin.query(`listen c${i}`)
    await expect(admin.query('listen more')).rejects.toMatchObject({ code: '53400' })
    await admin.query('listen c1')
    await admin.query('unlisten c1')
    await admin.query('listen more')
  })
})

describe('databases without channels', () => {
  test('LISTEN and NOTIFY are refused on SQLite', async () => {
    const wire = await openWireServer({ config: {} })
    const client = new pg.Client({ connectionString: `postgres://a@${wire.address}/main` })
    await client.connect()
    try {
      for (const sql of ['listen x', "notify x, 'y'", 'listen "main.x"']) {
        await expect(client.query(sql)).rejects.toMatchObject({
          code: '0A000',
          message: expect.stringContaining('only PostgreSQL has them'),
        })
      }
      await client.query('unlisten x')
      await client.query('unlisten *')
    } finally {
      await client.end()
      await wire.close()
    }
  })
})
