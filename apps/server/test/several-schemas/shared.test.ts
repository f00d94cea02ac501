/** Connections that share a database: `{ url, schemas: { main: 'public', accounts: 'auth' } }`. */
import { createPgWireServer } from '@engine/pgwire'
import { describePostgres } from '@engine/test-databases/vitest'
import { asc, type SQLWrapper } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { generatedModule } from '../support/generated-module.ts'
import { type PermissionGateway, permissionGateway } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'
import { codeOf, rowsOf, withWire } from '../support/wire.ts'
import { setUp } from './two-schemas.ts'

const clerk = { roles: ['clerk'], tenant: 'acme' }
const mine = { tenant: '$user.tenant' }

const permissions = {
  users: {
    table: 'accounts.users',
    roles: ['clerk'],
    select: { columns: ['id', 'name', 'mood', 'tenant'], where: mine },
    insert: { check: mine },
    update: { where: mine, check: mine },
    delete: { where: mine },
  },
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { where: { owner: mine } },
    insert: { check: { owner: mine } },
  },
  labels: {
    table: 'main.users',
    roles: ['clerk'],
    select: { where: { $exists: { table: 'accounts.users', where: mine } }, columns: ['id'] },
  },
} as const

describePostgres('connections that share a database', () => {
  let database: TestDatabase
  let other: TestDatabase
  let open: TestGateway
  let guarded: PermissionGateway & { readonly gateway: TestGateway }

  beforeAll(async () => {
    database = await openPostgres(setUp)
    other = await openSqlite('create table things (id integer primary key)')
    const relationships = {
      'accounts.users': {
        badge: { table: 'main.users', type: 'one-to-one', from: 'id', to: 'id' },
      },
    } as const
    const schemas = { accounts: 'auth', main: 'public' }
    const connections = { other: other.url, main: { url: database.url, schemas, relationships } }
    open = await openGateway(
      { connections, defaultConnection: 'accounts', pgWire: { port: 0 } },
      { pgWire: createPgWireServer },
    )
    const gateway = await openGateway({ connections, auth: { secret }, permissions })
    guarded = { ...permissionGateway(gateway), close: () => gateway.close() }
  })
  afterAll(async () => {
    await open?.close()
    await guarded?.close()
    await database?.remove()
    await other?.remove()
  })

  const ask = (sql: string, params: readonly unknown[] = []) =>
    open.data({ sql, params, method: 'all' })
  const rows = async (sql: string, params: readonly unknown[] = []) => {
    const { status, body } = await ask(sql, params)
    expect(status === 200 ? status : { status, body, sql }).toBe(200)
    return (body as { readonly rows: unknown }).rows
  }

  test.each([
    ['select name from "accounts"."users" where id = 1', 'Ada'],
    ['select name from "accounts.users" where id = 1', 'Ada'],
    ['select accounts.users.name from accounts.users where users.id = 1', 'Ada'],
    ['select public.users.name from public.users where accounts.users.id = 1', 'Ada'],
    ['select name from users where id = 1', 'Ada'],
    ['select label from main.users where id = 1', 'one'],
    ['select "main"."users"."label" from "main"."users" where "main"."users"."id" = 1', 'one'],
  ])('each has its tables: %s', async (sql, value) => {
    expect(await rows(sql)).toEqual([[value]])
  })

  test.each([
    'select 1 from main.sessions',
    'select 1 from accounts.orders',
    'select 1 from main."auth.users"',
    'select 1 from main."auth.sessions"',
    'select 1 from accounts."auth.sessions"',
    'select 1 from orders',
    'select 1 from auth.users',
  ])('%s is 404', async (sql) => {
    expect(await ask(sql)).toMatchObject({
      status: 404,
      body: { error: 'TABLE_NOT_FOUND', message: expect.not.stringContaining('"public.') },
    })
  })

  test('a statement joins their tables, with the types of each', async () => {
    expect(
      await rows(
        `select o.id, u.name, o.mood, u.mood, l.label from main.orders o join accounts.users u on u.id = o.owner_id
          join main.users l on l.id = u.id where u.mood = 'calm' order by o.id`,
      ),
    ).toEqual([
      [10, 'Ada', 'good', 'calm', 'one'],
      [11, 'Ada', 'bad', 'calm', 'one'],
    ])
    expect(
      await rows(
        "select 'good'::main.mood, 'calm'::accounts.mood, 'calm'::public.mood, id from accounts.users where id = 1",
      ),
    ).toEqual([['good', 'calm', 'calm', 1]])
  })

  test('a table that was created since the start is found under its own connection only', async () => {
    await database.run('create table auth.later (id integer primary key)')
    expect(await rows('select count(*)::int from accounts.later')).toEqual([[0]])
    expect(await ask('select 1 from main.later')).toMatchObject({ status: 404 })
    await database.run('drop table auth.later')
    expect(await ask('select 1 from accounts.later')).toMatchObject({ status: 404 })
  })

  test('a statement on two databases is refused', async () => {
    for (const sql of [
      'select 1 from main.orders, other.things',
      'select 1 from accounts.users, other.things',
      'select 1 from users, other.things',
    ]) {
      expect(await ask(sql)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/"other"/) },
      })
    }
    const statements = ['select 1 from accounts.users', 'select 1 from other.things']
    expect(
      await open.post(
        '/data/batch',
        JSON.stringify({
          statements: statements.map((sql) => ({ sql, params: [], method: 'all' })),
        }),
      ),
    ).toMatchObject({ status: 400 })
  })

  test('a batch is one transaction on all of them', async () => {
    const insert = (mood: string) => [
      {
        sql: `insert into accounts.users (id, name, tenant, mood) values (9, 'Eve', 'acme', 'wild') returning accounts.users.name`,
        params: [],
        method: 'all',
      },
      {
        sql: `insert into main.orders (id, owner_id, mood) values (90, 9, $1) returning main.orders.mood`,
        params: [mood],
        method: 'all',
      },
    ]
    const batch = (statements: readonly object[]) =>
      open.post('/data/batch', JSON.stringify({ statements }))
    expect(await batch(insert('wrong'))).toMatchObject({ status: 422 })
    expect(await rows('select count(*)::int from accounts.users')).toEqual([[2]])
    const undo = [
      'delete from main.orders where id = 90',
      'delete from accounts.users where id = 9',
    ]
    const { body } = await batch([
      ...insert('bad'),
      ...undo.map((sql) => ({ sql, params: [], method: 'run' })),
    ])
    expect(body).toMatchObject({ results: [{ rows: [['Eve']] }, { rows: [['bad']] }, {}, {}] })
  })

  test('errors name the connection of the table', async () => {
    for (const [sql, table, constraint] of [
      [
        "insert into accounts.users (id, name, tenant, mood) values (1, 'x', 'acme', 'calm')",
        'accounts.users',
        'users_pkey',
      ],
      ["insert into main.users (id, label) values (1, 'x')", 'main.users', 'users_pkey'],
      ['delete from accounts.users where id = 2', 'accounts.sessions', 'sessions_user_id_fkey'],
      [
        "insert into main.orders (id, owner_id, mood) values (80, 99, 'good')",
        'main.orders',
        'orders_owner_id_fkey',
      ],
    ] as const) {
      expect(await open.data({ sql, params: [], method: 'run' })).toMatchObject({
        status: 409,
        body: { details: { table, constraint } },
      })
    }
  })

  describe('with permissions', () => {
    test('filters go across', async () => {
      expect(await guarded.rows(clerk, 'select id from main.orders order by id')).toEqual([
        [10],
        [11],
      ])
      expect(await guarded.rows(clerk, 'select id, name from accounts.users')).toEqual([[1, 'Ada']])
      expect(await guarded.rows(clerk, 'select id from main.users order by id')).toEqual([[1], [2]])
    })

    test('a join shows no hidden row, column or table', async () => {
      const joined = `select o.id, u.name, l.id from accounts.users u left join main.orders o on true
        left join main.users l on l.id = u.id order by 1`
      expect(await guarded.rows(clerk, joined)).toEqual([
        [10, 'Ada', 1],
        [11, 'Ada', 1],
      ])
      for (const sql of [
        'select email from accounts.users',
        'select label from main.users',
        'select 1 from accounts.sessions',
        'select (select count(*) from accounts.sessions) from main.orders',
        'delete from main.users',
      ]) {
        expect(await guarded.refusal(clerk, sql)).toEqual([403, 'PERMISSION_DENIED'])
      }
      const nobody = { roles: ['guest'] }
      expect(await guarded.refusal(nobody, 'select 1 from accounts.users')).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
    })

    test('writes are checked across', async () => {
      const insert = (id: number, owner: number) =>
        `insert into main.orders (id, owner_id, mood) values (${id}, ${owner}, 'good') returning id`
      expect(await guarded.refusal(clerk, insert(70, 2))).toEqual([422, 'VALIDATION_ERROR'])
      expect(await guarded.rows(clerk, insert(70, 1))).toEqual([[70]])
      await database.run('delete from orders where id = 70')
      const move = (tenant: string) =>
        `update accounts.users set tenant = '${tenant}' where id = 1 returning name`
      expect(await guarded.refusal(clerk, move('umbra'))).toEqual([422, 'VALIDATION_ERROR'])
      expect(await guarded.rows(clerk, move('acme'))).toEqual([['Ada']])
    })

    test('a hidden column is like a missing one, although a table of that name is readable', async () => {
      const main = { url: database.url, schemas: { main: 'public', accounts: 'auth' } }
      const gateway = await openGateway(
        {
          connections: { main },
          auth: { secret },
          permissions: {
            labels: { table: 'main.users', roles: ['clerk'], select: {} },
            names: {
              table: 'accounts.users',
              roles: ['clerk'],
              select: { columns: ['id', 'name'] },
            },
          },
        },
        { isDevelopment: false },
      )
      try {
        const { ask: askGuarded } = permissionGateway(gateway)
        const errorOf = async (column: string) => {
          const { status, body } = await askGuarded(clerk, `select ${column} from accounts.users`)
          const { message, error, details } = body as Record<string, unknown>
          return JSON.stringify([status, error, message, details]).replaceAll(column, 'x')
        }
        expect(await errorOf('missing')).toBe(await errorOf('email'))
        expect(await errorOf('email')).toContain('403')
      } finally {
        await gateway.close()
      }
    })

    test('the row of the caller may be in any of them', async () => {
      const main = { url: database.url, schemas: { main: 'public', accounts: 'auth' } }
      const userTable = {
        table: 'accounts.users',
        matchOn: { column: 'email', jwtField: 'email' },
        columns: ['tenant'],
      }
      const gateway = await openGateway({
        connections: { main },
        auth: { secret, userTable },
        permissions,
      })
      try {
        const { rows: rowsOfCaller } = permissionGateway(gateway)
        const ada = { roles: ['clerk'], email: 'ada@acme.example' }
        expect(await rowsOfCaller(ada, 'select name from accounts.users')).toEqual([['Ada']])
      } finally {
        await gateway.close()
      }
    })

    test('a table has one name in the configuration', async () => {
      for (const table of ['main.auth.users', 'accounts.orders', 'auth.users', 'main.sessions']) {
        const main = { url: database.url, schemas: { main: 'public', accounts: 'auth' } }
        const failed = openGateway({
          connections: { main },
          auth: { secret },
          permissions: { wrong: { table, roles: ['clerk'], select: {} } },
        }).then(
          (gateway) => gateway.close(),
          (error: Error) => error.message,
        )
        expect(await failed).toMatch(/there is no (table|connection)/)
      }
    })
  })

  test('GET /schema has a connection for each, and relations across', async () => {
    const { connections } = (await open.engine.describe()).document
    expect(Object.keys(connections)).toEqual(['accounts', 'main', 'other'])
    const main = connections['main']?.tables
    const accounts = connections['accounts']?.tables
    expect(Object.keys(main ?? {})).toEqual(['notes.of', 'orders', 'users'])
    expect(Object.keys(accounts ?? {})).toEqual(['sessions', 'users'])
    expect(main?.['orders']?.relationships).toMatchObject({
      owner: { type: 'many-to-one', table: 'accounts.users' },
      label: { type: 'many-to-one', table: 'main.users' },
    })
    expect(accounts?.['users']?.relationships).toMatchObject({
      orders: { type: 'one-to-many', table: 'main.orders' },
      sessions: { type: 'one-to-many', table: 'accounts.sessions' },
      badge: { type: 'one-to-one', table: 'main.users' },
    })
  })

  test('generated Drizzle code follows relations across', async () => {
    const module = await generatedModule((await open.engine.describe()).document, {
      format: 'drizzle',
    })
    const db = drizzle(
      async (sql, params) => {
        const { body } = await ask(sql, params)
        return body as { rows: unknown[] }
      },
      { schema: module },
    )
    const queries = db.query as unknown as Record<
      string,
      { findFirst(options: object): Promise<unknown> }
    >
    expect(
      await queries['mainOrders']?.findFirst({
        columns: { id: true, mood: true },
        with: { owner: { columns: { name: true, mood: true } } },
        orderBy: (order: { id: SQLWrapper }) => asc(order.id),
      }),
    ).toEqual({ id: 10, mood: 'good', owner: { name: 'Ada', mood: 'calm' } })
  })

  test('an explanation and the matrix name each connection', async () => {
    const { tables } = await guarded.gateway.engine.explain(
      { sql: 'select o.id from main.orders o join accounts.users u on u.id = o.owner_id' },
      { kind: 'user', id: 'ada', roles: ['clerk'], fields: { tenant: 'acme' } } as never,
    )
    expect(tables.map(({ table }) => table)).toEqual(['main.orders', 'accounts.users'])
  })

  test('the wire protocol has a schema for each', async () => {
    const { address } = await open.engine.startPgWire()
    await withWire({ address }, async (client) => {
      const { rows, fields } = await client.query(
        'select o.mood, u.mood as feeling from main.orders o join users u on u.id = o.owner_id where o.id = $1',
        [10],
      )
      expect(rows).toEqual([{ mood: 'good', feeling: 'calm' }])
      const types = await Promise.all(
        fields.map(({ dataTypeID, tableID }) =>
          rowsOf(
            client,
            'select t.typname, t.typtype, $2::oid::regclass::text from pg_type t where t.oid = $1',
            [dataTypeID, tableID],
          ),
        ),
      )
      expect(types).toEqual([[['mood', 'e', 'orders']], [['auth.mood', 'e', 'users']]])
      expect(
        await rowsOf(
          client,
          "select conrelid::regclass::text, confrelid::regclass::text from pg_constraint where contype = 'f' order by 1, 2",
        ),
      ).toEqual([
        ['orders', 'main.users'],
        ['orders', 'users'],
        ['sessions', 'users'],
      ])
      await client.query('set search_path to main, accounts')
      expect(
        await rowsOf(
          client,
          'select label, sessions.id from users, sessions where users.id = 1 and user_id = 1',
        ),
      ).toEqual([['one', 100]])
      await client.query('begin')
      await client.query("update accounts.users set name = 'x' where id = 1")
      await client.query("update main.orders set mood = 'bad' where id = 10")
      const code = (sql: string) => client.query(sql).then(() => 'none', codeOf)
      expect(await code('select 1 from other.things')).toBe('0A000')
      await client.query('rollback')
      expect(await code('select 1 from main.orders, other.things')).toBe('0A000')
      expect(await code("insert into main.users (id, label) values (1, 'x')")).toBe('23505')
    })
    expect(await rows('select name from accounts.users where id = 1')).toEqual([['Ada']])
  })
})
