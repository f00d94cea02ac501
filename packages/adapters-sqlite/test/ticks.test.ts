import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { registerFunctions } from '../src/functions/register/register-functions.ts'
import { compiled } from '../src/print/test-support/compiled-for-test.ts'

const rows = 30
let database: Database.Database
let calls = 0

beforeAll(() => {
  database = new Database(':memory:')
  database.defaultSafeIntegers(true)
  registerFunctions(database, {
    interrupt: () => {
      calls += 1
    },
    matching: (match) => match(),
  })
  database.exec(`
    create table item (id integer primary key, a int, price decimal(10,2), name text not null unique, at timestamp,
      seen timestamptz, open boolean not null default true, data json, code char(3), nick text collate nocase, odd int);
    create table part (id integer primary key, item_id int, n int);
    create table pair (k text primary key, v int) without rowid;
    with recursive s(i) as (select 1 union all select i + 1 from s where i < ${rows})
      insert into item (id, a, name) select i, i, 'n' || i from s;
    insert into part select id, id, id from item;
    insert into pair select name, id from item`)
})

/** The number of times that a statement checked whether to stop. */
async function ticksOf(sql: string): Promise<number> {
  const { steps } = await compiled(sql)
  calls = 0
  for (const { sql: text = '', parameters } of steps) {
    const values = parameters.map((source) => {
      if (source.from !== 'constant') throw new Error('only constants here')
      return typeof source.value === 'string' && /^-?\d+$/.test(source.value)
        ? BigInt(source.value)
        : source.value
    })
    const numbered = Object.fromEntries(values.map((value, index) => [index + 1, value]))
    // Here every row is in the sample.
    const every = text.replaceAll('random() & 31', '0').replaceAll(/\([^()]* % \d+\) & 255/g, '0')
    const statement = database.prepare(every)
    const given = values.length === 0 ? [] : [numbered]
    if (statement.reader) statement.all(...given)
    else statement.run(...given)
  }
  return calls
}

test('every row of every loop asks, whatever the rows are for', async () => {
  expect(await ticksOf('select id from main.item where a < 0')).toBe(rows)
  expect(await ticksOf('select count(*) from main.item')).toBe(rows)
  expect(await ticksOf('select max(a) from main.item group by open')).toBe(rows)
})

test.each([
  ['a cross join', 'select 1 from main.item i, main.part p where i.a + p.n < 0'],
  ['a left join', 'select 1 from main.item i left join main.part p on i.a + p.n < 0'],
  ['a right join', 'select 1 from main.item i right join main.part p on i.a + p.n < 0'],
  [
    'a correlated subquery',
    'select (select sum(n) from main.part where n + i.a < 0) from main.item i',
  ],
  ['EXISTS', 'select id from main.item i where exists (select from main.part where n + i.a < 0)'],
  [
    'LATERAL',
    'select 1 from main.item i cross join lateral (select n from main.part where n + i.a < 0) x',
  ],
])('the inner loop of %s asks for every row of the outer one', async (_name, sql) => {
  expect(await ticksOf(sql)).toBeGreaterThanOrEqual(rows * rows)
})

test('three loops inside each other ask a cube of times', async () => {
  const sql = 'select 1 from main.item i, main.part p, main.pair r where i.a + p.n + r.v < 0'
  expect(await ticksOf(sql)).toBeGreaterThanOrEqual(rows ** 3)
})

test('rows made by the statement itself ask as well', async () => {
  const values = 'values (1), (2), (3), (4), (5), (6)'
  const sql = `select count(*) from (${values}) a(x), (${values}) b(x), (${values}) c(x)`
  expect(await ticksOf(sql)).toBeGreaterThanOrEqual(6 ** 3)
  expect(await ticksOf('select count(*) from generate_series(1, 1000)')).toBeGreaterThanOrEqual(
    1000,
  )
  const recursive =
    'with recursive s(n) as (select 1 union all select n + 1 from s where n < 500) select max(n) from s'
  expect(await ticksOf(recursive)).toBeGreaterThanOrEqual(499)
})

test('writes ask for every row they look at', async () => {
  expect(await ticksOf('update main.item set a = a where a < 0')).toBe(rows)
  expect(await ticksOf('delete from main.pair where v < 0')).toBe(rows)
})

test('a look-up by a key does not ask', async () => {
  expect(await ticksOf('select name from main.item where id = 3')).toBe(0)
})

test('a scan asks at some of its rows, which callers cannot choose', async () => {
  const { steps } = await compiled('select count(*) from main.part where n < 0')
  const [, divisor] = steps[0]?.sql?.match(/t1\.rowid % (\d+)\) & 255 or tick_scan\(/) ?? []
  expect(Number(divisor)).toBeGreaterThan(1_000)
  database.exec(`create table long (id integer primary key, n int);
    with recursive s(i) as (select 1 union all select i + 1 from s where i < 20000) insert into long select i * 256 + 1, i from s`)
  const scan = steps[0]?.sql?.replace('main."part"', 'main."long"') ?? ''
  calls = 0
  database.prepare(scan).all({ 1: 0n })
  expect(calls).toBeGreaterThan(20)
  expect(calls).toBeLessThan(1_000)
})

test.each([
  ['a join with itself', 'select 1 from main.part a join main.part b on a.n < b.id'],
  ['a join', 'select 1 from main.item i join main.part p on p.n = i.a'],
  ['a table without a rowid', 'select k from main.pair where v < 0'],
])('the rows at which %s asks are drawn by lot', async (_name, sql) => {
  const { steps } = await compiled(sql)
  expect(steps[0]?.sql).toContain('random() & 31 or tick_sample(')
  expect(steps[0]?.sql).not.toContain('tick_scan(')
})
