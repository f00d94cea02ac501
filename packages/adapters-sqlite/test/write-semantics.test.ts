import { admin, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/index.ts'
import { createDatabase } from './open-adapter.ts'

const setup = `
  create table folder (id integer primary key, name text not null, parent_id int references folder (id) on delete cascade);
  insert into folder values (1, 'root', null), (2, 'docs', 1), (3, 'old', 2), (4, 'other', null);
  create table counter (key text not null primary key, n int not null default 0, note text default 'none', at timestamp default CURRENT_TIMESTAMP);
  insert into counter (key, n) values ('a', 1), ('b', 2);
  create table log (id integer primary key, text text);
  create trigger counter_log after insert on counter begin insert into log (text) values (new.key); end;
  create table pair (a int not null, b text not null, v int, primary key (a, b)) without rowid;
  insert into pair values (1, 'x', 1), (2, 'x', 2);
  create table t1 (id integer primary key, v int);
  insert into t1 values (1, 10), (2, 20);`

async function open(tables: string = setup): Promise<Engine> {
  const url = createDatabase(tables)
  const engine = await createEngine(
    { connections: { main: { url } } },
    { adapters: { '@engine/adapters-sqlite': connect } },
  )
  onTestFinished(() => engine.close())
  return engine
}

interface Answer {
  readonly rows: unknown
  readonly rowCount: number
}

async function run(engine: Engine, sql: string, params: readonly unknown[] = []): Promise<Answer> {
  const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
  const { body, rowCount } = await engine.query(request, admin)
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return { rows: JSON.parse(text).rows, rowCount }
}

async function sqlStateOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof GatewayError ? error.sqlState : undefined
}

test('rows that a cascade would take along are counted and returned', async () => {
  const engine = await open()
  const { rows } = await run(engine, 'delete from main.folder where id < 4 returning name')
  expect(rows).toEqual([['root'], ['docs'], ['old']])
  const again = await open()
  expect((await run(again, 'delete from main.folder where id < 4')).rowCount).toBe(3)
})

describe('rows that foreign keys change along the way', () => {
  const shelves = `
    create table shelf (id integer primary key, n int);
    create table book (id integer primary key, shelf int references shelf (id) on delete cascade on update cascade);
    insert into shelf values (1, 1), (2, 2), (3, 3), (4, 4), (5, 5);
    insert into book values (1, 4), (2, 3), (3, 2);`

  test('are read as they were by what an UPDATE computes', async () => {
    const engine = await open(shelves)
    const moved = '(select count(*) from main.book where book.shelf > 10 + shelf.n - shelf.n)'
    await run(engine, `update main.shelf set id = id + 10, n = ${moved}`)
    const { rows } = await run(engine, 'select id, n from main.shelf order by id')
    expect(rows).toEqual([11, 12, 13, 14, 15].map((id) => [id, 0]))
  })

  test('are read as they were by the condition of a DELETE', async () => {
    const engine = await open(shelves)
    const { rowCount } = await run(
      engine,
      'delete from main.shelf using main.book b where b.id = shelf.id',
    )
    expect(rowCount).toBe(3)
  })
})

describe('a key that SQLite itself would take NULL for', () => {
  const badge =
    'create table badge (code varchar(9) primary key, n int, at timestamp default CURRENT_TIMESTAMP);'

  test.each([
    'insert into main.badge (n) values (1)',
    'insert into main.badge (code, n) values (default, 1)',
    'insert into main.badge (n) select 1',
    'insert into main.badge default values',
    'insert into main.badge (n) values (1) on conflict do nothing',
    "insert into main.badge (code) values ('a'), (default)",
    'update main.badge set code = default',
  ])('is required: %s', async (sql) => {
    const engine = await open(`${badge} insert into badge values ('kept', 1, null);`)
    expect(await sqlStateOf(run(engine, sql))).toBe('23502')
    expect((await run(engine, 'select code from main.badge')).rows).toEqual([['kept']])
  })

  test('may come from a FULL JOIN, whose rows are looked at before they are matched', async () => {
    const engine = await open(badge)
    const sql = `insert into main.badge (code, n) select a, b from unnest(array['x', 'y'], array[1, 2]) as u(a, b)
      on conflict (code) do update set n = excluded.n returning code, n`
    expect((await run(engine, sql)).rows).toEqual([
      ['x', 1],
      ['y', 2],
    ])
  })
})

test('NULL is no key, not even one that SQLite would number', async () => {
  const engine = await open()
  const write = run(engine, `insert into main.folder (id, name) values (null, 'x')`)
  expect(await sqlStateOf(write)).toBe('23502')
})

test('one row is not updated twice by ON CONFLICT', async () => {
  const engine = await open()
  const sql = `insert into main.counter (key, n) values ('a', 5), ('a', 6)
    on conflict (key) do update set n = excluded.n`
  expect(await sqlStateOf(run(engine, sql))).toBe('21000')
  expect((await run(engine, 'select n from main.counter order by key')).rows).toEqual([[1], [2]])
})

test('SET sees the rows as they were before', async () => {
  const engine = await open()
  await run(engine, 'update main.t1 set v = (select max(v) from main.t1) + v')
  expect((await run(engine, 'select v from main.t1 order by id')).rows).toEqual([[30], [40]])
})

test('defaults are stored as every other value is', async () => {
  const engine = await open()
  const insert = `insert into main.counter (key, note) values ('c', default), ('d', 'x') returning key, n, note`
  expect((await run(engine, insert)).rows).toEqual([
    ['c', 0, 'none'],
    ['d', 0, 'x'],
  ])
  const moments = 'select count(*) from main.counter where at <= now() and key > $1'
  expect((await run(engine, moments, ['b'])).rows).toEqual([['2']])
  await run(engine, `update main.counter set n = default, note = default where key = 'b'`)
  expect((await run(engine, `select n, note from main.counter where key = 'b'`)).rows).toEqual([
    [0, 'none'],
  ])
})

test('triggers run once for each row', async () => {
  const engine = await open()
  await run(engine, `insert into main.counter (key) values ('x'), ('y') on conflict do nothing`)
  expect((await run(engine, 'select text from main.log order by id')).rows).toEqual([['x'], ['y']])
})

test('RETURNING reads no table as it became', async () => {
  const engine = await open()
  const sql = 'delete from main.t1 returning (select count(*) from main.t1)'
  expect(await sqlStateOf(run(engine, sql))).toBe('0A000')
})

test('a table called like an alias is written all the same', async () => {
  const engine = await open()
  const sql =
    'update main.t1 set v = f.id from main.folder f where f.id = t1.id returning t1.id, t1.v'
  expect((await run(engine, sql)).rows).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('rows are found again when a part of their key has changed', async () => {
  const engine = await open()
  const sql = `update main.pair set a = pair.a + 10 from main.t1 where t1.id = pair.a
    returning pair.a, pair.b, t1.v`
  expect((await run(engine, sql)).rows).toEqual([
    [11, 'x', 10],
    [12, 'x', 20],
  ])
})
