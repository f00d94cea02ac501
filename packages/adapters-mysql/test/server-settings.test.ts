/** Servers with settings that people have: no answer, no stored value and no refusal depends on them. */
import { admin, createEngine, type Engine } from '@engine/core'
import type { MysqlServer } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'

const everywhere = {
  // Not strict, and backslashes are characters.
  'sql-mode': 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,ALLOW_INVALID_DATES',
  'default-time-zone': '+05:30',
  'group-concat-max-len': '4',
  'max-sort-length': '64',
  'div-precision-increment': '0',
  'completion-type': 'RELEASE',
  'transaction-isolation': 'SERIALIZABLE',
  'lower-case-table-names': '1',
  autocommit: 'OFF',
  'character-set-server': 'latin1',
  'collation-server': 'latin1_swedish_ci',
} as const

const own = {
  mysql: {
    'sql-require-primary-key': 'ON',
    'sql-generate-invisible-primary-key': 'ON',
    'windowing-use-high-precision': 'OFF',
    'cte-max-recursion-depth': '3',
    'max-execution-time': '1',
  },
  mariadb: {
    'default-regex-flags': 'EXTENDED',
    'max-recursive-iterations': '3',
    'max-statement-time': '0.5',
    'sql-safe-updates': 'ON',
  },
} as const

describeEachMysql('settings of a server', ({ vendor, start }) => {
  let server: MysqlServer
  let client: TestClient
  let engine: Engine

  beforeAll(async () => {
    server = await start({ settings: { ...everywhere, ...own[vendor] } })
    client = await openClient(server.url)
    await client.run(
      'set autocommit = 1',
      'create database shop',
      'use shop',
      `create table Parent (id int primary key, name varchar(5))`,
      `create table Child (id int auto_increment primary key, parent_id int, at timestamp(3) null,
        made timestamp(6) default current_timestamp(6), foreign key (parent_id) references Parent (id))`,
      // MySQL gives it an invisible key.
      `create table loose (n int, t varchar(20))`,
      `insert into Parent values (1, 'a'), (2, 'b')`,
      `insert into loose values (3, 'x'), (1, 'y'), (2, 'z')`,
    )
    engine = await createEngine(
      { connections: { main: { url: `${server.url}shop` } } },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })
  afterAll(async () => {
    await engine?.close()
    await client?.close()
    await server?.stop()
  })

  async function rows(sql: string, ...params: readonly unknown[]): Promise<unknown> {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    return (JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown }).rows
  }

  test.each<[string, readonly unknown[], unknown]>([
    ["select string_agg(name, ', ' order by id) from main.parent", [], [['a, b']]],
    [`select 'a\\b' || $1`, ['\\n'], [['a\\b\\n']]],
    ['select 10::numeric / 3', [], [['3.3333333333333333']]],
    ['select avg(n) from main.loose', [], [['2.0000000000000000']]],
    [
      'select sum(n + 0.1) over (order by n) from main.loose order by 1',
      [],
      [['1.1'], ['3.2'], ['6.3']],
    ],
    ["select timestamptz '2024-06-01 12:00:00+02'", [], [['2024-06-01 10:00:00+00']]],
    ["select 'a b' ~ 'a b'", [], [[true]]],
    [
      'with recursive r(n) as (select 1 union all select n + 1 from r where n < 9) select max(n) from r',
      [],
      [[9]],
    ],
    ["select 'Ω' || '東京', length('😀')", [], [['Ω東京', 1]]],
    ['select t from main.loose order by t desc', [], [['z'], ['y'], ['x']]],
  ])('%s', async (sql, params, expected) => {
    expect(await rows(sql, ...params)).toEqual(expected)
  })

  test('texts that differ late are sorted', async () => {
    const long = 'x'.repeat(500)
    const sql = 'select right(t, 1) from (values ($1), ($2), ($3)) as v(t) order by t'
    expect(await rows(sql, `${long}b`, `${long}a`, `${long}c`)).toEqual([['a'], ['b'], ['c']])
  })

  test('what does not fit is refused, never cut', async () => {
    await expect(rows(`insert into main.parent values (3, 'abcdef')`)).rejects.toMatchObject({
      sqlState: '22001',
    })
    await expect(rows('update main.loose set n = 2147483648')).rejects.toMatchObject({
      sqlState: '22003',
    })
  })

  test('foreign keys hold', async () => {
    await expect(rows('insert into main.child (parent_id) values (9)')).rejects.toMatchObject({
      sqlState: '23503',
    })
  })

  test('a write is stored when it is answered, and a moment as it was given', async () => {
    const insert = 'insert into main.child (parent_id, at) values ($1, $2) returning id, at'
    expect(await rows(insert, 1, '2024-06-01T12:00:00.123+02:00')).toEqual([
      [expect.any(Number), '2024-06-01 10:00:00.123+00'],
    ])
    const stored = await client.rows(
      `select date_format(convert_tz(at, @@session.time_zone, '+00:00'), '%H:%i:%s.%f') as at,
        abs(timestampdiff(second, made, now())) < 60 as is_now from Child`,
    )
    expect(stored).toEqual([{ at: '10:00:00.123000', is_now: 1 }])
  })

  test('rows of a table without a key of its own are changed and removed', async () => {
    expect(await rows('update main.loose set n = n + 10 where n > 1')).toEqual([])
    expect(await rows("delete from main.loose where t = 'y'")).toEqual([])
    expect(await rows('select n from main.loose order by n')).toEqual([[12], [13]])
    expect(await rows('select * from main.loose order by n')).toEqual([
      [12, 'z'],
      [13, 'x'],
    ])
  })

  test(`the key that ${vendor === 'mysql' ? 'the server gives them serves' : 'they lack is missed by'} RETURNING`, async () => {
    const returned = rows("update main.loose set n = n + 1 where t = 'x' returning n")
    if (vendor === 'mysql') expect(await returned).toEqual([[14]])
    else await expect(returned).rejects.toMatchObject({ status: 400, sqlState: '0A000' })
  })
})
