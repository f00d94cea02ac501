import { admin, createEngine, type Engine } from '@engine/core'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/index.ts'
import { createDatabase } from './open-adapter.ts'

/** A database that other programs wrote, each in its own form. */
const setup = `
  create table note (
    id integer primary key, at timestamp, seen timestamptz, day date, done boolean, price decimal(10,2),
    code char(4), ref uuid, tag text collate nocase, data json);
  insert into note values
    (1, '2024-01-31T10:00:00.500Z', '2024-01-31T12:00:00+02:00', '2024-01-31', 1, 0.1 + 0.2, 'ab',
      'ABCDEF00-0000-4000-8000-000000000001', 'Red', '{"b":1,"a":2}'),
    (2, '2024-01-31 10:00:00.5', '2024-01-31 10:00:00', '2024-02-01', 0, 1.239, 'ab  ',
      'abcdef00-0000-4000-8000-000000000002', 'red', '12'),
    (3, '2024-02-01', '2024-02-01 00:00:00+00', null, null, null, null, null, null, null);
  create index note_seen on note (seen);
  create table word (k text primary key, n int) without rowid;
  insert into word values ('a', 1), ('b', 2);
  create table shift (id integer primary key, opens time);
  insert into shift values (1, '2000-01-01 08:30:00.250000'), (2, '08:30:00.25'), (3, '09:00');
  create table anything (id integer primary key, value, "bytes" blob);
  insert into anything values (1, 168.0, 168.0), (2, x'00ff', x'00ff'), (3, 83.30000000000001, 5), (4, 1e21, 'é'), (5, 7, null), (6, 'seven', x'');
  create view totals as select id, value * 2 as doubled, count(*) over () as n from anything where typeof(value) in ('real', 'integer');
  create table loose (id integer primary key, big decimal, label string);`

async function open(): Promise<Engine> {
  const url = createDatabase(setup)
  const engine = await createEngine(
    { connections: { main: { url } } },
    { adapters: { '@engine/adapters-sqlite': connect } },
  )
  onTestFinished(() => engine.close())
  return engine
}

async function rowsOf(engine: Engine, sql: string): Promise<unknown> {
  const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, admin)
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return JSON.parse(text).rows
}

test('moments of any spelling are the moments they tell of', async () => {
  const engine = await open()
  const same = `select id from main.note where at = '2024-01-31 10:00:00.5' order by id`
  expect(await rowsOf(engine, same)).toEqual([[1], [2]])
  const seen = `select id, seen from main.note where seen <= '2024-01-31 10:00:00+00' order by id`
  expect(await rowsOf(engine, seen)).toEqual([
    [1, '2024-01-31 10:00:00+00'],
    [2, '2024-01-31 10:00:00+00'],
  ])
  const groups = 'select count(*), seen from main.note group by seen order by seen'
  expect(await rowsOf(engine, groups)).toEqual([
    ['2', '2024-01-31 10:00:00+00'],
    ['1', '2024-02-01 00:00:00+00'],
  ])
})

test('the noise of doubles is no part of a decimal', async () => {
  const engine = await open()
  expect(await rowsOf(engine, 'select price from main.note where price = 0.3')).toEqual([['0.30']])
  expect(await rowsOf(engine, 'select id from main.note where price >= 1.24')).toEqual([[2]])
  expect(
    await rowsOf(
      engine,
      'select sum(price), price::text from main.note where id = 2 group by price',
    ),
  ).toEqual([['1.24', '1.24']])
})

test('blanks behind char(n), capitals of a uuid and of texts in another collation', async () => {
  const engine = await open()
  expect(await rowsOf(engine, `select id from main.note where code = 'ab' order by id`)).toEqual([
    [1],
    [2],
  ])
  const ref = `select id from main.note where ref = 'abcdef00-0000-4000-8000-000000000001'`
  expect(await rowsOf(engine, ref)).toEqual([[1]])
  expect(await rowsOf(engine, `select id from main.note where tag = 'red'`)).toEqual([[2]])
  expect(await rowsOf(engine, 'select distinct tag from main.note order by tag')).toEqual([
    ['Red'],
    ['red'],
    [null],
  ])
  expect(await rowsOf(engine, 'select count(distinct tag), max(tag) from main.note')).toEqual([
    ['2', 'red'],
  ])
})

test('documents are jsonb, numbers among them', async () => {
  const engine = await open()
  const sql = `select data, data::text, data = '{"a": 2, "b": 1.0}' from main.note order by id`
  expect(await rowsOf(engine, sql)).toEqual([
    [{ b: 1, a: 2 }, '{"a": 2, "b": 1}', true],
    [12, '12', false],
    [null, null, null],
  ])
})

test('a table without a rowid is written by its key', async () => {
  const engine = await open()
  const update = `update main.word set n = n + 1, k = k || 'x' where n > (select min(n) from main.word) returning *`
  expect(await rowsOf(engine, update)).toEqual([['bx', 3]])
  expect(await rowsOf(engine, 'delete from main.word where n = 1 returning k')).toEqual([['a']])
})

test('what a column would change is refused', async () => {
  const engine = await open()
  const write = (sql: string) => rowsOf(engine, sql)
  await expect(write('insert into main.loose (big) values (1234567890123456.5)')).rejects.toThrow()
  await expect(write(`insert into main.loose (label) values ('007')`)).rejects.toThrow()
  expect(
    await write(`insert into main.loose (big, label) values (12.50, 'x7') returning big, label`),
  ).toEqual([['12.5', 'x7']])
})

test('a time behind a date, as Rails writes it, is a time', async () => {
  const engine = await open()
  expect(await rowsOf(engine, 'select opens from main.shift order by opens, id')).toEqual([
    ['08:30:00.25'],
    ['08:30:00.25'],
    ['09:00:00'],
  ])
  const same = `select count(*), min(opens) from main.shift where opens = '08:30:00.25'`
  expect(await rowsOf(engine, same)).toEqual([['2', '08:30:00.25']])
})

test('a value that is no text compares as the text that stands in answers', async () => {
  const engine = await open()
  const columns = [
    ['anything', 'value'],
    ['anything', 'bytes'],
    ['totals', 'doubled'],
    ['totals', 'n'],
  ] as const
  for (const [table, column] of columns) {
    const rows = await rowsOf(engine, `select id, ${column} from main.${table} order by id`)
    for (const [id, value] of rows as readonly (readonly [number, string | null])[]) {
      if (value === null) continue
      const sql = `select ${column} from main.${table} where ${column} = '${value}' and id = ${id} group by ${column}`
      expect(await rowsOf(engine, sql), `${column} of ${id}`).toEqual([[value]])
    }
  }
  expect(await rowsOf(engine, 'select value from main.anything order by id')).toEqual([
    ['168'],
    ['\\x00ff'],
    ['83.30000000000001'],
    ['1e+21'],
    ['7'],
    ['seven'],
  ])
})
