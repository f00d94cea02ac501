/** pg_cancel_backend and pg_terminate_backend: for one's own sessions, and for those of all with the master key. */
import { GatewayError } from '@engine/core'
import type { AuthProvider } from '@engine/core/server'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endlessQuery, openWireServer, type WireServer } from './support/wire-server.ts'

const masterKey = 'a-master-key-of-many-characters-0123456789'

/** The password is the name of the user. */
const provider: AuthProvider = {
  authenticate: () => {
    throw new GatewayError('unauthorized', 'no tokens')
  },
  authenticatePassword: async (_user, password) => ({
    caller: { kind: 'user', id: password, roles: ['staff'], fields: {} },
    credential: 'session',
    credentialId: undefined,
    expiresAtMs: undefined,
  }),
}

interface Client extends pg.Client {
  readonly pid: number
  readonly notices: string[]
  readonly ended: Promise<string | undefined>
}

describe.each(['builtin', 'pglite'] as const)('signals, with the catalog %s', (catalog) => {
  let wire: WireServer
  let clients: pg.Client[]
  beforeEach(async () => {
    clients = []
    wire = await openWireServer({
      provider,
      config: {
        masterKey,
        permissions: {
          items: { table: 'main.items', roles: ['staff'], select: {}, update: {} },
        },
      },
      pgWire: { catalog, auth: { strategy: ['apiKey', 'password'] } },
    })
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await wire.close()
  })

  const connect = async (password: string): Promise<Client> => {
    const [host, port] = wire.address.split(':')
    const client = new pg.Client({
      host,
      port: Number(port),
      user: 'a@b.c',
      password,
      database: 'x',
    })
    clients.push(client)
    const notices: string[] = []
    const ended = new Promise<string | undefined>((resolve) => {
      let code: string | undefined
      client.on('error', (error: Error & { readonly code?: string }) => {
        code ??= error.code
      })
      client.on('end', () => resolve(code))
    })
    client.on('notice', ({ message }) => void notices.push(message ?? ''))
    await client.connect()
    const { processID: pid } = client as unknown as { readonly processID: number }
    return Object.assign(client, { pid, notices, ended })
  }
  const ask = async (client: pg.Client, sql: string, values: readonly unknown[] = []) =>
    Object.values((await client.query(sql, [...values])).rows[0])[0]
  /** Sends the signal until the statement has begun and is stopped by it. @returns its SQLSTATE. */
  const stopped = async (client: pg.Client, cancel: () => Promise<unknown>) => {
    let code: string | undefined
    const outcome = client.query(endlessQuery).catch((error: { readonly code: string }) => {
      code = error.code
    })
    await expect
      .poll(async () => {
        expect(await cancel()).toBe(true)
        return code
      })
      .toBeDefined()
    await outcome
    return code
  }

  test('a statement of another session of the same user is cancelled', async () => {
    const [ada, other] = [await connect('ada'), await connect('ada')]
    expect(await ask(ada, 'select pg_backend_pid()')).toBe(ada.pid)
    for (const cancel of [
      () => ask(other, `select pg_cancel_backend(${ada.pid})`),
      () => ask(other, 'select pg_catalog.pg_cancel_backend( $1 ) as done', [ada.pid]),
    ]) {
      expect(await stopped(ada, cancel)).toBe('57014')
    }
    expect(await ask(ada, 'select 1 as a')).toBe(1)
    expect(other.notices).toEqual([])
  })

  test('another session of the same user is ended, and its transaction rolled back', async () => {
    const [ada, other] = [await connect('ada'), await connect('ada')]
    await ada.query('begin')
    await ada.query("update main.items set name = 'lost' where id = 1")
    expect(await ask(other, `select pg_terminate_backend(${ada.pid}, 100)`)).toBe(true)
    expect(await ada.ended).toBe('57P01')
    await expect
      .poll(() => ask(other, 'update main.items set name = name where id = 1 returning name'))
      .toBe('item 1')
  })

  test('sessions of other users are not there, except for the master key', async () => {
    const [ada, bob, admin] = [await connect('ada'), await connect('bob'), await connect(masterKey)]
    const missing = ada.pid === 1 ? 2 : 1
    for (const pid of [ada.pid, admin.pid, missing]) {
      expect(await ask(bob, `select pg_cancel_backend(${pid})`)).toBe(false)
      expect(await ask(bob, 'select pg_terminate_backend($1)', [pid])).toBe(false)
      const message = `PID ${pid} is not a PostgreSQL server process`
      expect(bob.notices.splice(0)).toEqual([message, message])
    }
    expect(await ask(ada, 'select 1 as a')).toBe(1)
    expect(await stopped(ada, () => ask(admin, `select pg_cancel_backend(${ada.pid})`))).toBe(
      '57014',
    )
    expect(await ask(admin, `select pg_terminate_backend(${bob.pid})`)).toBe(true)
    expect(await bob.ended).toBe('57P01')
  })

  test('a session may stop itself', async () => {
    const ada = await connect('ada')
    await expect(ada.query('select pg_cancel_backend(pg_backend_pid())')).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to user request',
    })
    expect(await ask(ada, 'select 1 as a')).toBe(1)
    const last = ada.query('select pg_terminate_backend(pg_backend_pid())')
    await expect(last).rejects.toMatchObject({ severity: 'FATAL', code: '57P01' })
  })

  test('NULL is NULL, and what is no number is refused', async () => {
    const ada = await connect('ada')
    expect(await ask(ada, 'select pg_cancel_backend(null)')).toBeNull()
    await expect(ada.query("select pg_cancel_backend('x')")).rejects.toMatchObject({
      code: '22P02',
      ...(catalog === 'pglite' ? { position: '26' } : {}),
    })
    for (const sql of [
      'select pg_cancel_backend(id) from main.items',
      'select pg_cancel_backend((select id from main.items limit 1))',
      'select pg_cancel_backend(1, 2)',
      'select pg_cancel_backend(pg_terminate_backend(1)::int)',
      'select pg_cancel_backend((select 1 from (select pg_advisory_lock(1)) l))',
      "select pg_cancel_backend(length(set_config('search_path', 'x', false)))",
      'select 1, pg_cancel_backend(1)',
    ]) {
      await expect(ada.query(sql)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42|0A)/),
      })
    }
  })
})
