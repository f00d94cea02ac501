/** Several schemas of one PostgreSQL database as one connection: `{ url, schemas: ['public', 'auth'] }`. */
import { generate } from '@engine/codegen'
import { describePostgres } from '@engine/test-databases/vitest'
import { asc, type SQLWrapper } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { generatedModule } from '../support/generated-module.ts'
import { type PermissionGateway, permissionGateway } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'
import { setUp } from './two-schemas.ts'

const clerk = { roles: ['clerk'], tenant: 'acme' }
const mine = { tenant: '$user.tenant' }

const permissions = {
  users: {
    table: 'main.auth.users',
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
} as const

describePostgres('a connection with several schemas', () => {
  let database: TestDatabase
  let open: TestGateway
  let guarded: PermissionGateway & { readonly gateway: TestGateway }

  beforeAll(async () => {
    database = await openPostgres(setUp)
    const main = { url: database.url, schemas: ['public', 'auth'] }
    open = await openGateway({ connections: { main } })
    const gateway = await openGateway({ connections: { main }, auth: { secret }, permissions })
    guarded = { ...permissionGateway(gateway), close: () => gateway.close() }
  })
  afterAll(async () => {
    await open?.close()
    await guarded?.close()
    await database?.remove()
  })

  const describeTables = async () => (await open.engine.describe()).document
  const rows = async (sql: string, params: readonly unknown[] = []) => {
    const { status, body } = await open.data({ sql, params, method: 'all' })
    expect(status === 200 ? status : { status, body, sql }).toBe(200)
    return (body as { readonly rows: unknown }).rows
  }

  test.each([
    'select name from "main"."auth.users" where id = 1',
    'select name from "main"."auth"."users" where id = 1',
    'select name from "auth"."users" where id = 1',
    'select name from "main.auth.users" where id = 1',
    'select name from "auth.users" where id = 1',
    'select "auth"."users"."name" from "auth"."users" where users.id = 1',
    'select main.auth.users.name from main.auth.users where auth.users.id = 1',
    'select main."auth.users".name from main."auth.users" where "auth.users".id = 1',
    'select u.name from auth.users u, users where u.id = 1 and users.id = 1',
  ])('a connection with several schemas has a table of the second one as %s', async (sql) => {
    expect(await rows(sql)).toEqual([['Ada']])
  })

  test.each([
    'select label from users where id = 1',
    'select label from main.users where id = 1',
    'select "public"."users"."label" from "public"."users" where main.users.id = 1',
    'select "main"."public"."users"."label" from "main"."public"."users" where public.users.id = 1',
  ])('a connection with several schemas has a table of the first one as %s', async (sql) => {
    expect(await rows(sql)).toEqual([['one']])
  })

  test.each([
    'select 1 from main."public.users"',
    'select 1 from other.users',
    'select 1 from auth.nothing',
    'select 1 from main.auth.nothing',
    'select 1 from elsewhere.auth.users',
  ])('a connection with several schemas has no table %s', async (sql) => {
    const { status } = await open.data({ sql, params: [], method: 'all' })
    expect([404, 400]).toContain(status)
  })

  test('joins them, with columns and types of each', async () => {
    expect(
      await rows(
        `select o.id, u.name, o.mood, u.mood, l.label from orders o join auth.users u on u.id = o.owner_id
          join public.users l on l.id = u.id where u.mood = 'calm' order by o.id`,
      ),
    ).toEqual([
      [10, 'Ada', 'good', 'calm', 'one'],
      [11, 'Ada', 'bad', 'calm', 'one'],
    ])
    expect(
      await rows(
        `select 'good'::mood, 'calm'::auth.mood, 'good'::public.mood, 'calm'::main.auth.mood, 'calm'::main."auth.mood"`,
      ),
    ).toEqual([['good', 'calm', 'good', 'calm', 'calm']])
    const { status } = await open.data({ sql: "select 'calm'::mood", params: [], method: 'all' })
    expect(status).toBe(400)
  })

  test('writes in one batch, and returns rows of each', async () => {
    const statements = [
      {
        sql: `insert into auth.users (id, name, tenant, mood) values ($1, 'Eve', 'acme', 'wild')
          on conflict on constraint users_pkey do nothing returning auth.users.name, mood`,
        params: [9],
      },
      {
        sql: `insert into orders (id, owner_id, mood) values (90, 9, 'bad') returning public.orders.mood`,
        params: [],
      },
      { sql: 'delete from orders where id = 90', params: [] },
      { sql: `delete from main."auth.users" where id = 9 returning name`, params: [] },
    ].map((statement) => ({ ...statement, method: 'all' }))
    const { body } = await open.post('/data/batch', JSON.stringify({ statements }))
    expect(body).toMatchObject({
      results: [{ rows: [['Eve', 'wild']] }, { rows: [['bad']] }, {}, { rows: [['Eve']] }],
    })
  })

  test('reports the table of a violated constraint, although both schemas have its name', async () => {
    for (const [sql, table] of [
      [
        "insert into auth.users (id, name, tenant, mood) values (1, 'x', 'acme', 'calm')",
        'auth.users',
      ],
      ["insert into users (id, label) values (1, 'x')", 'users'],
    ] as const) {
      expect(await open.data({ sql, params: [], method: 'run' })).toMatchObject({
        status: 409,
        body: { details: { table: `main.${table}`, constraint: 'users_pkey' } },
      })
    }
  })

  describe('with permissions', () => {
    test('a filter goes across schemas', async () => {
      expect(await guarded.rows(clerk, 'select id from orders order by id')).toEqual([[10], [11]])
      expect(await guarded.rows(clerk, 'select id, name from auth.users order by id')).toEqual([
        [1, 'Ada'],
      ])
    })

    test('a join shows no hidden row, column or table', async () => {
      const joined = `select o.id, u.name from main."auth.users" u left join main.orders o on true where u.id > 0 order by 1`
      expect(await guarded.rows(clerk, joined)).toEqual([
        [10, 'Ada'],
        [11, 'Ada'],
      ])
      expect(await guarded.refusal(clerk, 'select email from auth.users')).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
      for (const table of [
        'users',
        'auth.sessions',
        'main.auth.sessions',
        'main."auth.sessions"',
      ]) {
        expect(await guarded.refusal(clerk, `select 1 from ${table}`)).toEqual([
          403,
          'PERMISSION_DENIED',
        ])
      }
      const inner = 'select (select count(*) from auth.sessions) from orders'
      expect(await guarded.refusal(clerk, inner)).toEqual([403, 'PERMISSION_DENIED'])
    })

    test('a write is checked across schemas', async () => {
      const insert = (id: number, owner: number) =>
        `insert into main.orders (id, owner_id, mood) values (${id}, ${owner}, 'good') returning id`
      expect(await guarded.refusal(clerk, insert(70, 2))).toEqual([422, 'VALIDATION_ERROR'])
      expect(await guarded.rows(clerk, insert(70, 1))).toEqual([[70]])
      await database.run('delete from orders where id = 70')
      const rename = (tenant: string) =>
        `update auth.users set tenant = '${tenant}' where id = 1 returning name`
      expect(await guarded.refusal(clerk, rename('umbra'))).toEqual([422, 'VALIDATION_ERROR'])
      expect(await guarded.rows(clerk, rename('acme'))).toEqual([['Ada']])
      expect(await guarded.rows(clerk, 'delete from auth.users where id = 2 returning id')).toEqual(
        [],
      )
    })
  })

  test('GET /schema has the tables, and relations across', async () => {
    const { connections } = await describeTables()
    const { tables = {} } = connections['main'] ?? {}
    expect(Object.keys(tables).sort()).toEqual([
      'auth.sessions',
      'auth.users',
      'notes.of',
      'orders',
      'users',
    ])
    expect(tables['orders']?.relationships).toMatchObject({
      owner: { type: 'many-to-one', table: 'main.auth.users' },
      label: { type: 'many-to-one', table: 'main.users' },
    })
    expect(tables['auth.users']?.relationships).toMatchObject({
      orders: { type: 'one-to-many', table: 'main.orders' },
      sessions: { type: 'one-to-many', table: 'main.auth.sessions' },
    })
  })

  test('generated Drizzle code addresses the tables, and follows relations across', async () => {
    const module = await generatedModule(await describeTables(), {
      format: 'drizzle',
      connections: ['main'],
    })
    const db = drizzle(
      async (sql, params) => {
        const { body } = await open.data({ sql, params, method: 'all' })
        return body as { rows: unknown[] }
      },
      { schema: module },
    )
    const queries = db.query as unknown as Record<
      string,
      { findFirst(options: object): Promise<unknown> }
    >
    expect(
      await queries['orders']?.findFirst({
        columns: { id: true, mood: true },
        with: { owner: { columns: { name: true, mood: true } } },
        orderBy: (order: { id: SQLWrapper }) => asc(order.id),
      }),
    ).toEqual({ id: 10, mood: 'good', owner: { name: 'Ada', mood: 'calm' } })
  })

  test('Kysely addresses the tables as its generated types do', async () => {
    const code = generate(await describeTables(), { format: 'kysely' })
    expect(code).toContain("'auth.users': MainAuthUsers")
    const db = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    const { sql, parameters } = db
      .selectFrom('auth.users')
      .innerJoin('main.orders', 'main.orders.owner_id', 'auth.users.id')
      .select('auth.users.name')
      .where('main.orders.id', '=', 10)
      .compile()
    expect(await rows(sql, parameters)).toEqual([['Ada']])
  })
})

describePostgres('public among the further schemas', () => {
  test('means that schema, and the first one has its own name', async () => {
    const database = await openPostgres(setUp)
    const main = { url: database.url, schemas: ['auth', 'public'] }
    const gateway = await openGateway({ connections: { main } })
    try {
      for (const [sql, value] of [
        ['select label from public.users where public.users.id = 1', 'one'],
        ['select label from main.public.users where main.public.users.id = 1', 'one'],
        ['select label from "public.users" where id = 1', 'one'],
        ['select name from users where main.users.id = 1', 'Ada'],
        ['select name from auth.users where auth.users.id = 1', 'Ada'],
        ["select mood from users where mood = 'calm'::mood and id = 1", 'calm'],
        ["select mood from public.orders where mood = 'good'::public.mood limit 1", 'good'],
      ]) {
        expect(await gateway.data({ sql, params: [], method: 'get' })).toMatchObject({
          status: 200,
          body: { rows: [value] },
        })
      }
    } finally {
      await gateway.close()
      await database.remove()
    }
  })
})
