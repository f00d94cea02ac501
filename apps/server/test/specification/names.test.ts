/** Interface specification 2.3: tables are addressed by connection and name; a statement uses one connection. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const setUp = `
create table users (id integer primary key, name text);
create table "Odd ""name"" é" ("the id" integer primary key);
create table "dotted.name" (id integer primary key);
insert into users values (1, 'Ada');
insert into "Odd ""name"" é" values (7);
insert into "dotted.name" values (8);
`

describeDatabases('names', (open) => {
  let database: TestDatabase
  let other: TestDatabase
  let single: TestGateway
  let double: TestGateway
  let byDefault: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    other = await openSqlite(
      'create table users (id integer primary key); create table things (id integer)',
    )
    single = await openGateway({ connections: { main: database.url } })
    double = await openGateway({ connections: { main: database.url, other: other.url } })
    byDefault = await openGateway({
      connections: { other: other.url, main: database.url },
      defaultConnection: 'main',
    })
  })
  afterAll(async () => {
    await single?.close()
    await double?.close()
    await byDefault?.close()
    await database?.remove()
    await other?.remove()
  })

  const ask = (gateway: TestGateway, sql: string) =>
    gateway.data({ sql, params: [], method: 'get' })

  describe('a table of one connection', () => {
    test.each([
      'select "id" from "main"."users"',
      'select id from main.users',
      'select u.id from main.users u',
      'select "main"."users"."id" from "main"."users"',
      'select "users"."id" from "main"."users"',
      'select id from Main.USERS',
      'select id from "main.users"',
      'select "main.users"."id" from "main.users"',
    ])('%s', async (sql) => {
      expect(await ask(double, sql)).toMatchObject({ status: 200, body: { rows: [1] } })
      expect(await ask(single, sql)).toMatchObject({ status: 200, body: { rows: [1] } })
    })

    test('a table of one connection may have any name', async () => {
      const odd = 'select "the id" from "main"."Odd ""name"" é"'
      expect((await ask(double, odd)).body).toEqual({ rows: [7] })
      expect((await ask(double, 'select id from main."dotted.name"')).body).toEqual({ rows: [8] })
      expect((await ask(double, 'select id from "main.dotted.name"')).body).toEqual({ rows: [8] })
    })

    test('a table of one connection is spelled exactly', async () => {
      expect(await ask(double, 'select id from "main"."Users"')).toMatchObject({ status: 404 })
      expect(await ask(double, 'select id from "Main"."users"')).toMatchObject({ status: 404 })
    })
  })

  test('without a connection it is found where there is only one', async () => {
    expect((await ask(single, 'select "id" from "users"')).body).toEqual({ rows: [1] })
    expect((await ask(single, 'select id from "dotted.name"')).body).toEqual({ rows: [8] })
  })

  test.each([
    ['select "id" from "users"', []],
    ['select "id" from "public"."users"', []],
    ['select "public.users"."id" from "public.users"', []],
    [
      'SELECT "public"."users"."id" FROM "public"."users" WHERE ("public"."users"."id" = $1 AND 1=1) LIMIT $2 OFFSET $3',
      [1, 1, 0],
    ],
    [
      'SELECT "t0"."id" FROM "public"."users" AS "t0" LEFT JOIN "public"."users" AS "j1" ON ("j1"."id") = ("t0"."id") WHERE ("t0"."id" IN ($1) AND "j1"."id" IS NOT NULL) ORDER BY "t0"."id" ASC OFFSET $2',
      [1, 0],
    ],
    ['select max(public.users.id) from main.users', []],
    ['with u as (select * from public.users) select u.id from u, users', []],
  ])('of the default connection it is found: %s', async (sql, params) => {
    for (const gateway of [single, byDefault]) {
      expect(await gateway.data({ sql, params, method: 'get' })).toMatchObject({
        status: 200,
        body: { rows: [1] },
      })
    }
  })

  test('writes of a program that qualifies with public', async () => {
    const returned = 'RETURNING "public"."users"."id", "public"."users"."name"'
    const statements = [
      {
        sql: `INSERT INTO "public"."users" ("id", "name") VALUES ($1, $2) ${returned}`,
        params: [3, 'Cy'],
      },
      {
        sql: `INSERT INTO "public"."users" ("id", "name") VALUES ($1, $2) ON CONFLICT ("id") DO UPDATE SET "name" = $3 WHERE ("public"."users"."id" = $4 AND 1=1) ${returned}`,
        params: [3, 'no', 'Di', 3],
      },
      {
        sql: `UPDATE "public"."users" SET "name" = $1 WHERE ("public"."users"."id" = $2 AND 1=1) ${returned}`,
        params: ['Eve', 3],
      },
      {
        sql: `DELETE FROM "public"."users" WHERE ("public"."users"."id" = $1 AND 1=1) ${returned}`,
        params: [3],
      },
    ].map((statement) => ({ ...statement, method: 'all' }))
    for (const gateway of [single, byDefault]) {
      const { status, body } = await gateway.post('/data/batch', JSON.stringify({ statements }))
      expect({ status, body }).toMatchObject({ status: 200 })
      expect((body as { results: { rows: unknown }[] }).results.map(({ rows }) => rows)).toEqual(
        ['Cy', 'Di', 'Eve', 'Eve'].map((name) => [[3, name]]),
      )
    }
  })

  test('public and another connection are two', async () => {
    for (const sql of [
      'select 1 from public.users, other.users',
      'select 1 from users, other.users',
      'insert into public.users (id) select id from other.things',
    ]) {
      expect(await ask(byDefault, sql)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/"main".*"other"|"other".*"main"/) },
      })
    }
  })

  test('public is refused where there are two and none is the default one', async () => {
    expect(await ask(double, 'select id from "public"."users"')).toMatchObject({
      status: 400,
      body: {
        error: 'BAD_REQUEST',
        message: expect.stringContaining('"public" means no connection'),
        details: { hint: expect.stringContaining('defaultConnection') },
      },
    })
  })

  test('without a connection it is refused where there are two', async () => {
    for (const table of ['users', 'things', 'nothing']) {
      expect(await ask(double, `select id from ${table}`)).toMatchObject({
        status: 400,
        body: { error: 'BAD_REQUEST', message: expect.stringContaining('connection') },
      })
    }
  })

  test.each([
    'select 1 from main.nothing',
    'select 1 from nowhere.users',
    'select 1 from pg_catalog.pg_class',
    'select 1 from information_schema.tables',
    'select 1 from main.pg_class',
    'select 1 from main.sqlite_master',
    'select 1 from main.users u join main.nothing n on n.id = u.id',
    'select (select 1 from main.nothing) from main.users',
    'update main.nothing set id = 1',
    'insert into main.nothing values (1)',
    'delete from nowhere.users',
  ])('%s is 404', async (sql) => {
    for (const gateway of [single, double]) {
      expect(await ask(gateway, sql)).toMatchObject({
        status: 404,
        body: { error: 'TABLE_NOT_FOUND', message: expect.stringContaining('does not exist') },
      })
    }
  })

  test.each([
    'select 1 from main.users, other.users',
    'select 1 from main.users where id in (select id from other.things)',
    'with t as (select id from other.things) select 1 from main.users, t',
    'select id from main.users union all select id from other.users',
    'insert into main.users (id) select id from other.things',
    'select 1 from "main.users" a, "other.users" b',
  ])('two connections in one statement are refused: %s', async (sql) => {
    expect(await ask(double, sql)).toMatchObject({
      status: 400,
      body: {
        error: 'BAD_REQUEST',
        message: expect.stringMatching(/"main".*"other"|"other".*"main"/),
      },
    })
  })

  test('a statement without tables is answered', async () => {
    expect((await ask(double, 'select 1 + 1')).body).toEqual({ rows: [2] })
  })

  test('an unknown column is 400 for a caller with full rights', async () => {
    for (const sql of [
      'select nothing from main.users',
      'select u.nothing from main.users u',
      'update main.users set nothing = 1',
      'insert into main.users (nothing) values (1)',
      'select id from main.users order by nothing',
    ]) {
      expect(await ask(double, sql)).toMatchObject({
        status: 400,
        body: { error: 'BAD_REQUEST', message: expect.stringContaining('"nothing"') },
      })
    }
  })

  test('three connections more than one name: database, schema, table is refused', async () => {
    expect(await ask(double, 'select 1 from engine.main.users')).toMatchObject({ status: 400 })
  })
})
