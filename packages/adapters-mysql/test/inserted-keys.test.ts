/** RETURNING, and checks of stored rows, are about the very rows that an INSERT stored, also where triggers and other writers number rows meanwhile. */
import { admin, type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'

/** A member stores and reads small numbers only. */
const permissions = {
  members: {
    table: 'main.counted',
    roles: ['member'],
    select: { where: { n: { $lt: 100 } } },
    insert: { check: { n: { $lt: 100 }, id: { $gt: -1000 } } },
  },
  upserts: {
    table: 'main.keyed',
    roles: ['member'],
    select: {},
    insert: { check: { n: { $lt: 100 } } },
    update: { check: { n: { $lt: 100 } } },
  },
} satisfies Config['permissions']

const member: Caller = { kind: 'user', id: 'a member', roles: ['member'], fields: {} }

describeEachMysql('keys of inserted rows', (server) => {
  let client: TestClient
  let engine: Engine

  beforeAll(async () => {
    const url = await server.createDatabase('inserted_keys')
    client = await openClient(url)
    await client.run(
      'create table noted (id int auto_increment primary key, n int)',
      'create table counted (id int auto_increment primary key, code varchar(20) unique, n int not null)',
      `create trigger before_counted before insert on counted for each row
       begin
         insert into noted (n) values (new.n), (new.n);
         if new.n between 50 and 59 then set new.id = -950 - new.n; end if;
       end`,
      'create trigger after_counted after insert on counted for each row insert into noted (n) values (new.n)',
      'create table keyed (id int auto_increment primary key, code varchar(20) unique, n int not null)',
      'create table plain (id int auto_increment primary key, n int)',
      'create table pair (a int, b int auto_increment unique, n int, primary key (a, b))',
      `create table token (id char(36) primary key default (uuid()), n int)`,
      'create table `long` (id char(36) primary key default (uuid()), s longtext, b longblob)',
      'create table huge (id bigint unsigned auto_increment primary key, n int)',
    )
    engine = await createEngine(
      {
        connections: { main: { url, types: 'declared' } },
        auth: { secret: 'x'.repeat(32) },
        permissions,
      },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })
  beforeEach(async () => {
    for (const table of ['noted', 'counted', 'keyed', 'plain', 'pair', 'token', 'huge', '`long`']) {
      await client.run(`delete from ${table}`, `alter table ${table} auto_increment = 1`)
    }
    // Numbers of the other table are far from those of the written one.
    await client.run('alter table noted auto_increment = 500')
  })
  afterAll(async () => {
    await engine?.close()
    await client?.close()
  })

  async function rows(
    sql: string,
    params: readonly unknown[] = [],
    caller: Caller = admin,
  ): Promise<unknown> {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    try {
      const { body } = await engine.query(request, caller)
      return (JSON.parse(String(body)) as { readonly rows: readonly unknown[] }).rows
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error
      return error.sqlState
    }
  }

  const stored = async (sql: string) => (await client.rows(sql)).map((row) => Object.values(row))

  test('a row has the number that the server gave it, whatever triggers store meanwhile', async () => {
    const sql = 'insert into main.counted (n) values ($1) returning id, n'
    expect(await rows(sql, [1])).toEqual([[1, 1]])
    expect(await rows(sql, [2])).toEqual([[2, 2]])
    expect(await rows('insert into main.counted (n) values (3), (4) returning id, n')).toEqual([
      [3, 3],
      [4, 4],
    ])
    expect(
      await rows('insert into main.counted (id, n) values (70, 7), (default, 8) returning id, n'),
    ).toEqual([
      [70, 7],
      [71, 8],
    ])
  })

  test('a row has the number that a trigger gave it', async () => {
    const sql = 'insert into main.counted (n) values ($1) returning id, n'
    expect(await rows(sql, [1])).toEqual([[1, 1]])
    expect(await rows(sql, [50])).toEqual([[-1000, 50]])
    expect(await rows('insert into main.counted (id, n) values (5, 51) returning id, n')).toEqual([
      [-1001, 51],
    ])
  })

  test('of several rows, a number that a trigger gave is shown or refused, never another row', async () => {
    const sql =
      'insert into main.counted (n) select g from generate_series(49, 51) as g returning id, n'
    const answer = await rows(sql)
    expect([
      [
        [1, 49],
        [-1000, 50],
        [-1001, 51],
      ],
      '0A000',
    ]).toContainEqual(answer)
    const isRefused = answer === '0A000'
    expect(await stored('select count(*) from counted')).toEqual([[isRefused ? 0 : 3]])
  })

  test('the check looks at the stored row', async () => {
    const sql = 'insert into main.counted (n) values ($1) returning id, n'
    expect(await rows(sql, [1], member)).toEqual([[1, 1]])
    expect(await rows(sql, [100], member)).toBe('44000')
    expect(await rows(sql, [50], member)).toBe('44000')
    const without = 'insert into main.counted (code, n) values ($1, $2)'
    expect(await rows(without, ['a', 5], member)).toEqual([])
    expect(await rows(without, ['b', 50], member)).toBe('44000')
    expect(
      await rows('insert into main.counted (n) select n + 99 from main.counted', [], member),
    ).toBe('44000')
    expect(await stored('select n from counted order by n')).toEqual([[1], [5]])
  })

  test('upserts store and check the rows that conflict and those that do not', async () => {
    await client.run("insert into keyed (code, n) values ('a', 1), ('b', 2)")
    const update = `insert into main.keyed (code, n) values ('a', 10), ('c', 30), ('b', 20)
      on conflict (code) do update set n = excluded.n + keyed.n returning code, n, id < 3`
    expect(await rows(update, [], member)).toEqual([
      ['a', 11, true],
      ['c', 30, false],
      ['b', 22, true],
    ])
    const nothing = `insert into main.keyed (code, n) values ('a', 1), ('d', 4), ('d', 5), ('e', 6)
      on conflict do nothing returning code, n`
    expect(await rows(nothing, [], member)).toEqual([
      ['d', 4],
      ['e', 6],
    ])
    expect(await rows(update.replace('30', '99').replace('20', '98'), [], member)).toBe('44000')
    expect(await rows(nothing.replaceAll("'e'", "'f'").replace('6', '100'), [], member)).toBe(
      '44000',
    )
    expect(await stored('select code, n from keyed order by code')).toEqual([
      ['a', 11],
      ['b', 22],
      ['c', 30],
      ['d', 4],
      ['e', 6],
    ])
  })

  test('more rows than have statements of their own', async () => {
    const sql =
      'insert into main.plain (n) select g from generate_series(1, 1200) as g returning id, n'
    const answer = (await rows(sql)) as readonly (readonly number[])[]
    expect(answer.map(([, n]) => n)).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1))
    expect(await stored('select id, n from plain order by n')).toEqual(answer)
    const values = Array.from({ length: 600 }, (_, index) => `(${index})`).join(', ')
    const more = (await rows(
      `insert into main.plain (n) values ${values} returning n`,
    )) as readonly unknown[]
    expect(more).toHaveLength(600)
  })

  test('each writer sees the numbers of its own rows', async () => {
    const sql =
      'insert into main.plain (n) select g + $1::int from generate_series(1, 40) as g returning id, n'
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, writer) => rows(sql, [writer * 100])),
    )
    const pairs = (answers as readonly (readonly (readonly number[])[])[]).flat()
    expect(pairs).toHaveLength(320)
    const byNumber = pairs.toSorted(([left = 0], [right = 0]) => left - right)
    expect(await stored('select id, n from plain order by id')).toEqual(byNumber)
  })

  test('cells of one statement see the table as before it', async () => {
    await client.run('insert into plain (n) values (7)')
    const sql = `insert into main.plain (n) values ((select count(*) from main.plain)), ((select count(*) from main.plain))
      returning n`
    expect(await rows(sql)).toEqual([[1], [1]])
  })

  test('keys of several columns, large numbers, negative ones and 0', async () => {
    expect(
      await rows('insert into main.pair (a, n) values (7, 1), (7, 2), (8, 3) returning a, n'),
    ).toEqual([
      [7, 1],
      [7, 2],
      [8, 3],
    ])
    const huge = 'insert into main.huge (id, n) values ($1, 1) returning id'
    expect(await rows(huge, ['9223372036854775809'])).toEqual([['9223372036854775809']])
    expect(await rows('insert into main.huge (n) values (2) returning id')).toEqual([
      ['9223372036854775810'],
    ])
    expect(await rows('insert into main.huge (n) values (3), (4) returning id')).toEqual([
      ['9223372036854775811'],
      ['9223372036854775812'],
    ])
    const plain = 'insert into main.plain (id, n) values ($1, 1), (default, 2) returning n, id'
    expect(await rows(plain, [-5])).toEqual([
      [1, -5],
      [2, 1],
    ])
    expect(await rows('insert into main.plain (id, n) values (0, 3) returning id')).toEqual([[0]])
    expect(await rows('insert into main.plain (id, n) select 100, 3 returning id')).toEqual([[100]])
  })

  test('values longer than 65535 bytes are stored whole', async () => {
    const text = 'é'.repeat(70_000)
    const bytes = `\\x${'ab'.repeat(80_000)}`
    const lengths = 'returning length(s), octet_length(b)'
    const one = `insert into main.long (s, b) values ($1, $2) ${lengths}`
    expect(await rows(one, [text, bytes])).toEqual([[70_000, 80_000]])
    const two = `insert into main.long (s, b) values ('a', null), ($1, $2) ${lengths}`
    expect(await rows(two, [text, bytes])).toEqual([
      [1, null],
      [70_000, 80_000],
    ])
    const query = `insert into main.long (s, b) select q.s, $2 from (select $1::text as s limit 1) as q ${lengths}`
    expect(await rows(query, [text, bytes])).toEqual([[70_000, 80_000]])
    const nothing = `insert into main.long (id, s) values (gen_random_uuid()::text, $1) on conflict do nothing ${lengths}`
    expect(await rows(nothing, [text])).toEqual([[70_000, null]])
    const update = `update main.long set s = q.s from (select $1::text as s limit 1) as q where b is null ${lengths}`
    expect(await rows(update.replace('length(s)', 'length(long.s)'), [text])).toEqual([
      [70_000, null],
      [70_000, null],
    ])
  })

  test('keys that are made up', async () => {
    const sql = 'insert into main.token (n) values (1), (2) returning id, n'
    const made = await rows(sql)
    expect(made).toHaveLength(2)
    expect(await stored('select id, n from token order by n')).toEqual(made)
    const given = (await rows(
      'insert into main.token (id, n) values (gen_random_uuid()::text, 3) returning id',
    )) as readonly unknown[][]
    expect(await stored('select id from token where n = 3')).toEqual(given)
    const upserted = (await rows(
      'insert into main.token (n) values (4) on conflict (id) do update set n = 0 returning id, n',
    )) as readonly unknown[][]
    expect(await stored('select id, n from token where n = 4')).toEqual(upserted)
  })
})
