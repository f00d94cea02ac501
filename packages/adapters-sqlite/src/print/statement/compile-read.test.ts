import type { Permission } from '@engine/core'
import { expect, test } from 'vitest'
import { compileInSteps } from '../../compile.ts'
import {
  authorizedAndCompiled,
  compiled,
  compiledForTest,
} from '../test-support/compiled-for-test.ts'

const rows: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'name'], where: { open: true } },
  },
]

const masks: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'a'], where: { a: { $gt: 1 } } },
  },
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'price'], where: { open: true } },
  },
]

const maskedKey: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['a'], where: { a: { $gt: 1 } } },
  },
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['name'], where: { open: true } },
  },
]

const leftJoin = `
  select i.id from main.item i left join main.part p on i.id = 1 and p.id = 2`

test.each<[boolean, string, (readonly Permission[])?]>([
  [true, 'select id, name, data from main.item where a > 3 order by name'],
  [true, 'select id, price from main.item', masks],
  [true, 'select side from main.square'],
  [false, 'select name, name as again from main.item'],
  [false, 'select name, coalesce(name, nick) as either from main.item'],
  [false, 'select count(*), max(name) from main.item'],
  [false, 'select distinct name from main.item'],
  [false, 'select i.name from main.item i join main.part p on p.item_id = i.id'],
  [false, 'select i.name from (select name from main.item) i, main.part p'],
  [false, 'select area from main.square'],
  [false, 'select color from main.square'],
  [true, 'select odd, at from main.item'],
  [false, 'select a from main.item union all select a from main.item'],
])('its rows are stored ones, none of them twice: %s, %s', async (isStored, sql, permissions) => {
  const { hints } = await compiled(sql, permissions)
  expect(hints?.['stored'] === true).toBe(isStored)
})

test('a table is read by its own columns, a loop over it can be stopped', async () => {
  const steps = await compiledForTest(
    'select id, name from main.item where a = 1 order by a limit 3',
  )
  expect(steps).toEqual([
    'result: select t1."id" as c1, t1."name" as c2 from main."item" as t1 where scanned(t1.rowid) ' +
      'and (t1."a" = ?1) order by t1."a" nulls last limit ?2',
  ])
})

test('a look-up by a whole key needs no tick', async () => {
  const steps = await compiledForTest('select name from main.item where id = $1', undefined, [1])
  expect(steps).toEqual([
    'result: select t1."name" as c1 from main."item" as t1 where (t1."id" = ?1) limit 10001',
  ])
})

test('a joined look-up by keys needs no tick either', async () => {
  const steps = await compiledForTest(
    'select p.n, i.name from main.part p join main.item i on i.id = p.item_id where p.id = 7',
  )
  expect(steps).toEqual([
    'result: select t1."n" as c1, t2."name" as c2 from main."part" as t1 join main."item" as t2 ' +
      'on (t2."id" = t1."item_id") where (t1."id" = ?1) limit 10001',
  ])
})

test('a look-up of a key of text is one, too; its own condition is cheap', async () => {
  const own = [
    { table: 'main.item', roles: ['anonymous'], select: { where: { name: { $ne: 'x' } } } },
  ]
  const steps = await compiledForTest('select a from main.item where name = $1', own, ['y'])
  expect(steps).toEqual([
    'result: select t1.c2 as c1 from (select t2."a" as c2, t2."name" as c4 from main."item" as t2 ' +
      'where (t2."name" <> ?1)) as t1 where (t1.c4 = ?2) limit 10001',
  ])
})

test.each([
  ['a masked key', `select name from main.item where name = 'x'`, maskedKey],
  ['a left join that decides nothing about its left side', leftJoin, undefined],
  ['a pattern', `select a from main.item where id = 1 and name like 'a%'`, undefined],
  ['documents', `select a from main.item where id = 1 and data = '{}'`, undefined],
])('%s is no look-up', async (_name, sql, permissions) => {
  const [step] = await compiledForTest(sql, permissions)
  expect(step).toMatch(/tick\(|sampled\(|scanned\(/)
})

test('stored decimals are compared with bounds half a unit beside the value', async () => {
  const steps = await compiledForTest('select id from main.item where price > 2.5 and price = 3')
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where scanned(t1.rowid) and ((t1."price" ' +
      '> dec_floor_edge(?1, 2)) and (t1."price" > dec_low_edge(?2, 2) and t1."price" < ' +
      'dec_high_edge(?2, 2))) limit 10001',
  ])
})

test('decimals are computed as text', async () => {
  const steps = await compiledForTest('select price * 2 + a from main.item')
  expect(steps).toEqual([
    'result: select dec_add(dec_mul(dec_read(t1."price", 2), ?1), cast(t1."a" as text)) as c1 ' +
      'from main."item" as t1 where tick(t1.rowid) limit 10001',
  ])
})

test('integers are checked against their type', async () => {
  const steps = await compiledForTest('select a + 1, - a, a / 2, a % 2 from main.item')
  expect(steps).toEqual([
    'result: select int4((t1."a" + ?1)) as c1, int4((- t1."a")) as c2, int4(int_div(t1."a", ' +
      '?2)) as c3, int_mod(t1."a", ?2) as c4 from main."item" as t1 where tick(t1.rowid) limit ' +
      '10001',
  ])
})

test('dates of any spelling are read by a function, an index filters before', async () => {
  const steps = await compiledForTest(`select id from main.item where seen > '2024-01-01'`)
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where scanned(t1.rowid) and (t1."seen" >= ' +
      'day_before(?1) and (pg_parse_timestamptz(t1."seen") > ?1)) limit 10001',
  ])
})

test('texts in another collation are compared in byte order', async () => {
  const steps = await compiledForTest(`select id from main.item where nick = 'x' order by nick`)
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where scanned(t1.rowid) and ((t1."nick" ' +
      'collate binary) = ?1) order by (t1."nick" collate binary) nulls last limit 10001',
  ])
})

test('LIKE with a fixed pattern is GLOB between bounds', async () => {
  const steps = await compiledForTest(`select id from main.item where name like 'ab%'`)
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where tick(t1.rowid) and (t1."name" >= ' +
      `like_low(?1, '\\') and t1."name" < like_high(?1, '\\') and (t1."name" glob like_glob(?1, ` +
      `'\\'))) limit 10001`,
  ])
})

test('char(n) compares without the blanks behind it', async () => {
  const steps = await compiledForTest(`select id from main.item where code = 'x'`)
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where scanned(t1.rowid) and ((t1."code" ' +
      `>= rtrim(?1, ' ') and t1."code" <= bpchar_pad(rtrim(?1, ' '), 3)) and (rtrim(t1."code", ' ` +
      `') = rtrim(?1, ' '))) limit 10001`,
  ])
})

test('an array parameter is a list that an index serves', async () => {
  const steps = await compiledForTest('select id from main.item where id = any($1)', undefined, [
    [1, 2],
  ])
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where tick(t1.rowid) and (t1."id" in ' +
      '(select t3.value from json_each(array_flat(?1)) as t3)) limit 10001',
  ])
})

test('sums of decimals are sums of units', async () => {
  const steps = await compiledForTest(
    'select sum(price), avg(price), sum(distinct price), max(price) from main.item',
  )
  expect(steps).toEqual([
    'result: select dec_of_units(sum(cast(round(t1."price" * 100.0) as integer)), 2) as c1, ' +
      'dec_div(dec_of_units(sum(cast(round(t1."price" * 100.0) as integer)), 2), ' +
      'count(dec_read(t1."price", 2))) as c2, dec_of_units(sum(distinct cast(round(t1."price" * ' +
      '100.0) as integer)), 2) as c3, dec_read(max(t1."price"), 2) as c4 from main."item" as t1 ' +
      'where tick(t1.rowid) limit 10001',
  ])
})

test('ticks stand in the ON of outer joins, parentheses stay', async () => {
  const steps = await compiledForTest(
    'select i.id from main.item i left join (main.part p join main.pair r on r.v = p.n) on p.item_id = i.id',
  )
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 left join (main."part" as t2 join ' +
      'main."pair" as t3 on (t3."v" = t2."n")) on sampled(t2.rowid) and sampled(t3."k") and ' +
      '(t2."item_id" = t1."id") where sampled(t1.rowid) limit 10001',
  ])
})

test('NULL stands where PostgreSQL puts it, nothing is said where there is none', async () => {
  const steps = await compiledForTest('select id from main.item order by a, name, price desc')
  expect(steps).toEqual([
    'result: select t1."id" as c1 from main."item" as t1 where scanned(t1.rowid) order by t1."a" ' +
      'nulls last, t1."name", t1."price" desc nulls first limit 10001',
  ])
})

test('DISTINCT over values with several spellings groups by keys', async () => {
  const steps = await compiledForTest('select distinct data from main.item')
  expect(steps).toEqual([
    'result: select t3.c1 as c1 from (select t1."data" as c1 from main."item" as t1 where ' +
      'tick(t1.rowid)) as t3 group by jsonb_key(pg_jsonb(t3.c1)) limit 10001',
  ])
})

test('UNION of decimals compares by keys', async () => {
  const steps = await compiledForTest('select price from main.item union select a from main.item')
  expect(steps).toEqual([
    'result: select t5.c1 as c1 from (select 0 as side, c1 from (select dec_read(t1."price", 2) ' +
      'as c1 from main."item" as t1 where tick(t1.rowid)) union all select 1 as side, c1 from ' +
      '(select cast(t2."a" as text) as c1 from main."item" as t2 where tick(t2.rowid))) as t5 ' +
      'group by dec_key(t5.c1) having min(t5.side) >= 0 limit 10001',
  ])
})

test('INTERSECT binds tighter than UNION', async () => {
  const steps = await compiledForTest(
    'select a from main.item union select n from main.part intersect select item_id from main.part order by 1',
  )
  expect(steps).toEqual([
    'result: select t1."a" as c1 from main."item" as t1 where tick(t1.rowid) union select c1 ' +
      'from (select t2."n" as c1 from main."part" as t2 where tick(t2.rowid) intersect select ' +
      't3."item_id" as c1 from main."part" as t3 where tick(t3.rowid)) order by 1 nulls last ' +
      'limit 10001',
  ])
})

test('HAVING without GROUP BY has an aggregate to stand on', async () => {
  const steps = await compiledForTest('select 1 from main.item having count(*) > 2')
  expect(steps).toEqual([
    'result: select c1 from (select ?1 as c1, count(*) as n from main."item" as t1 where ' +
      'scanned(t1.rowid) having (count(*) > ?2) limit 10001)',
  ])
})

test('a recursive query ticks in its step', async () => {
  const steps = await compiledForTest(
    'with recursive s(n) as (select 1 union all select n + 1 from s where n < 5) select n from s',
  )
  expect(steps).toEqual([
    'result: with recursive q1(c1) as (select ?1 as c1 union all select int4((t2.c1 + ?1)) as ' +
      'c1 from q1 as t2 where tick(t2.c1) and (t2.c1 < ?2)) select t3.c1 as c1 from q1 as t3 ' +
      'where tick(t3.c1) limit 10001',
  ])
})

test('LATERAL rows come out of json_each', async () => {
  const steps = await compiledForTest(
    'select i.id, x.n from main.item i cross join lateral (select n from main.part where item_id = i.id order by n limit 2) x',
  )
  expect(steps).toEqual([
    'result: select t1."id" as c1, (t3.value ->> 0) as c2 from main."item" as t1 join ' +
      `json_each((select '[' || group_concat(concat('[', ifnull(t6.c1, 'null'), ']'), ',') || ']' ` +
      'from (select t2."n" as c1 from main."part" as t2 where tick(t2.rowid) and (t2."item_id" = ' +
      't1."id") order by 1 nulls last limit ?1) as t6)) as t3 where tick(t1.rowid) and ' +
      'tick(t3.key) limit 10001',
  ])
})

test('JSON is written as text', async () => {
  const steps = await compiledForTest(
    `select json_build_object('a', a, 'open', open), row_to_json(p) from main.item i join main.part p on p.id = i.id`,
  )
  expect(steps).toEqual([
    `result: select concat(?1, ifnull(cast(t1."a" as text), 'null'), ?2, case t1."open" when 1 ` +
      `then 'true' when 0 then 'false' else 'null' end, '}') as c1, concat(?3, cast(t2."id" as ` +
      `text), ?4, ifnull(cast(t2."item_id" as text), 'null'), ?5, ifnull(cast(t2."n" as text), ` +
      `'null'), '}') as c2 from main."item" as t1 join main."part" as t2 on (t2."id" = t1."id") ` +
      'where tick(t1.rowid) and tick(t2.rowid) limit 10001',
  ])
})

test('frame offsets are checked where they part nothing', async () => {
  const steps = await compiledForTest(
    'select sum(a) over (order by id rows 2 preceding) from main.item',
  )
  expect(steps).toEqual([
    'result: select sum(t1."a") over (partition by frame_offset(?1) order by t1."id" rows ' +
      'between ?1 preceding and current row) as c1 from main."item" as t1 where tick(t1.rowid) ' +
      'limit 10001',
  ])
})

test('rows that are hidden are filtered inside', async () => {
  const steps = await compiledForTest('select * from main.item', rows)
  expect(steps).toEqual([
    'result: select t1.c1 as c1, t1.c4 as c2 from (select t2."id" as c1, t2."name" as c4 from ' +
      'main."item" as t2 where scanned(t2.rowid) and (t2."open" = true)) as t1 limit 10001',
  ])
})

test('cells that are hidden are masked, and what could fail stays outside', async () => {
  const steps = await compiledForTest('select id, price from main.item where 1 / a > 0', masks)
  expect(steps).toEqual([
    'result: select t1.c1 as c1, t1.c3 as c2 from (select t2."id" as c1, case when (t2."a" > ' +
      '?1) then t2."a" end as c2, case when (t2."open" = true) then t2."price" end as c3 from ' +
      'main."item" as t2 where tick(t2.rowid) and ((t2."a" > ?1) or (t2."open" = true)) limit -1) ' +
      'as t1 where (int4(int_div(?1, t1.c2)) > ?2) limit 10001',
  ])
})

test('outputs are printed in steps of their own, to the same statement', async () => {
  const outputs = Array.from({ length: 100 }, (_, i) => `id + ${i}`)
  const sql = `select ${outputs.join(', ')} from main.item`
  const { authorized, compiled: expected } = await authorizedAndCompiled(sql)
  const steps = compileInSteps(authorized)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(count).toBeGreaterThanOrEqual(outputs.length)
  expect(step.value.steps).toEqual(expected.steps)
})
