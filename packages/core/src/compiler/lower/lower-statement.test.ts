import { expect, test } from 'vitest'
import { loweredForTest } from './test-support/lowered-for-test.ts'

test('DISTINCT ON takes the first row of each group and sorts again', async () => {
  const lowered = await loweredForTest(
    'select distinct on (a) id from main.t order by a, id desc limit 2 offset 1',
  )
  expect(lowered).toBe(
    'select d1.c1 from (select d2.c1, d2.c2, row_number() over (partition by d2.c2 order by d2.c2, d2.c1 desc) ' +
      'from (select t3.id, t3.a from t3) d2) d1 where (d1.c3 = 1) order by d1.c2, d1.c1 desc limit 2 offset 1',
  )
})

test('WITH TIES ranks the rows', async () => {
  const lowered = await loweredForTest(
    'select id from main.t order by a offset 1 fetch first 2 rows with ties',
  )
  expect(lowered).toBe(
    'select d1.c1 from (select d2.c1, d2.c2, row_number() over (order by d2.c2), rank() over (order by d2.c2) ' +
      'from (select t3.id, t3.a from t3) d2) d1 where ((d1.c4 <= (1 + 2)) and (d1.c3 > 1)) order by d1.c2',
  )
})

test('grouping sets read the rows once and group them set by set', async () => {
  const lowered = await loweredForTest(
    'select a, count(*), grouping(a) from main.t where id > 1 group by rollup (a) having count(*) > 1 order by 2',
  )
  expect(lowered).toBe(
    'with q1 as (select t2.a from t2 where (t2.id > 1)) select d3.c1, d3.c2, d3.c3 from (' +
      '(select d4.c1, count(*), 0 from q1 d4 group by d4.c1 having (count(*) > 1)) union all ' +
      '(select null, count(*), 1 from q1 d5 having (count(*) > 1))) d3 order by #2',
  )
})

test('window functions over grouping sets stand over their union', async () => {
  const lowered = await loweredForTest(
    'select a + 1, sum(count(*)) over () from main.t group by cube (a)',
  )
  expect(lowered).toBe(
    'with q1 as (select t2.a from t2) select (d3.c1 + 1), sum(d3.c2) over () from (' +
      '(select d4.c1, count(*) from q1 d4 group by d4.c1) union all (select null, count(*) from q1 d5)) d3',
  )
})

test('a group that nobody looks into needs no rows', async () => {
  expect(await loweredForTest('select 1 from main.t having true')).toBe('select 1 where true')
})

test('INTERSECT ALL numbers equal rows', async () => {
  const lowered = await loweredForTest(
    'select a from main.t intersect all select n from main.u order by 1',
  )
  expect(lowered).toBe(
    'select d1.c1 from ((select d2.c1, row_number() over (partition by d2.c1) from (select t3.a from t3) d2) intersect ' +
      '(select d4.c1, row_number() over (partition by d4.c1) from (select u5.n from u5) d4)) d1 order by #1',
  )
})

test('NOT IN stays, other quantified comparisons become three-valued EXISTS', async () => {
  expect(await loweredForTest('select id <> all (select n from main.u) from main.t')).toBe(
    'select (not (t1.id = any (select u2.n from u2))) from t1',
  )
  expect(await loweredForTest('select id > any (select n from main.u) from main.t')).toBe(
    'select case when exists (select true from (select u1.n from u1) d2 where (t3.id > d2.c1)) then true ' +
      'when exists (select true from (select u4.n from u4) d5 where ((t3.id > d5.c1) is null)) then null ' +
      'else false end from t3',
  )
})

test('a scalar subquery is guarded unless it has at most one row', async () => {
  const lowered = await loweredForTest(
    `select (select n from main.u where t_id = t.id), (select n from main.u where code = 'x'),
       (select max(n) from main.u), (select n from main.u limit 1) from main.t`,
  )
  expect(lowered).toBe(
    'select single_row((select u1.n from u1 where (u1.t_id = t2.id))), (select u3.n from u3 where (u3.code = x)), ' +
      '(select max(u4.n) from u4), (select u5.n from u5 limit 1) from t2',
  )
})

test('a whole row that an outer join makes up is NULL', async () => {
  const lowered = await loweredForTest(
    'select to_json(u), to_json(v), to_json(t) from main.t left join main.u on u.id = t.id left join main.v on v.x = t.a',
  )
  expect(lowered).toBe(
    'select to_json(case when (u1.id is not null) then row(u1.id, u1.t_id, u1.n, u1.code) end), ' +
      'to_json(case when (d2.c2 is not null) then row(d2.c1) end), to_json(row(t3.id, t3.a)) ' +
      'from t3 left join u1 on (u1.id = t3.id) left join (select v4.x, true from v4) d2 on (d2.c1 = t3.a)',
  )
})

test('a set-returning function moves from the select list into FROM', async () => {
  const lowered = await loweredForTest('select id, generate_series(1, a) + 1 from main.t')
  expect(lowered).toBe('select t1.id, (d2.c1 + 1) from t1, generate_series(1, t1.a) d2')
})

test('several set-returning functions go in step', async () => {
  const lowered = await loweredForTest('select generate_series(1, 2), generate_series(5, 7) + 1')
  expect(lowered).toBe(
    'select d1.c1, (d2.c1 + 1) from generate_series(1, 2) d1 full join generate_series(5, 7) d2 on (d1.c2 = d2.c2)',
  )
  await expect(
    loweredForTest('select generate_series(1, a), generate_series(1, id) from main.t'),
  ).rejects.toThrow('several set-returning functions in one select list')
})

test('VALUES with clauses behind it becomes a subquery', async () => {
  expect(await loweredForTest('values (2), (1) order by 1 limit 1')).toBe(
    'select d1.c1 from (values (2), (1)) d1 order by #1 limit 1',
  )
})
