import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a lateral subquery of one row becomes a scalar subquery at each use', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.s from main.t left join lateral (select sum(n) s from main.u where u.t_id = t.id) x on true order by x.s',
  )
  expect(lowered).toBe(
    'select t1.id, (select sum(u2.n) from u2 where (u2.t_id = t1.id)) from t1 order by #2',
  )
})

test('an inner join with a row that may be missing keeps dropping rows', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t cross join lateral (select n from main.u where u.t_id = t.id order by id limit 1) x',
  )
  expect(lowered).toBe(
    'select t1.id, (select u2.n from u2 where (u2.t_id = t1.id) order by u2.id limit 1) from t1 ' +
      'where exists (select u3.n from u3 where (u3.t_id = t1.id) order by u3.id limit 1)',
  )
})

test('ON of a left join decides whether there are values', async () => {
  const lowered = await loweredForTest(
    'select x.c from main.t left join lateral (select count(*) c from main.u where u.t_id = t.id) x on x.c > t.a',
  )
  expect(lowered).toBe(
    'select (select d1.c1 from (select count(*) from u2 where (u2.t_id = t3.id)) d1 where (d1.c1 > t3.a)) from t3',
  )
})

test('a lateral subquery that only selects becomes a join', async () => {
  const inner = await loweredForTest(
    'select t.id, x.n from main.t, lateral (select n from main.u where u.t_id = t.id) x where x.n > 1',
  )
  expect(inner).toBe(
    'select t1.id, u2.n from t1 cross join u2 where ((u2.t_id = t1.id) and (u2.n > 1))',
  )
  const left = await loweredForTest(
    'select x.n, x.m from main.t left join lateral (select n, n + a as m from main.u where u.t_id = t.id) x on x.n > 1',
  )
  expect(left).toBe(
    'select u1.n, case when (u1.id is not null) then (u1.n + t2.a) end ' +
      'from t2 left join u1 on ((u1.n > 1) and (u1.t_id = t2.id))',
  )
})

test('a lateral calculation is put where it is used', async () => {
  const lowered = await loweredForTest(
    'select x.b from main.t cross join lateral (select a + 1 as b) x where x.b > 3',
  )
  expect(lowered).toBe('select (t1.a + 1) from t1 where ((t1.a + 1) > 3)')
})

test('several rows for each row on the left become rows of a function', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t left join lateral (select n from main.u where u.t_id = t.id order by id limit 3) x on x.n > 1',
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 left join ' +
      'rows_of((select u3.n from u3 where (u3.t_id = t1.id) order by u3.id limit 3)) d2 on (d2.c1 > 1)',
  )
})

test('a limit of unknown size is not taken for one row, a whole key is', async () => {
  const byParameter = await loweredForTest(
    'select x.n from main.t left join lateral (select n from main.u where u.t_id = t.id limit $1) x on true',
    [1],
  )
  expect(byParameter).toContain('rows_of(')
  const byKey = await loweredForTest(
    'select x.n from main.t left join lateral (select n from main.u where u.id = t.a limit $1) x on true',
    [1],
  )
  expect(byKey).toBe('select (select u1.n from u1 where (u1.id = t2.a) limit $1) from t2')
})

test('nested lateral subqueries disappear on every level', async () => {
  const lowered = await loweredForTest(
    `select x.d from main.t left join lateral (
       select json_agg(json_build_array(o.id, y.d)) d from main.u o
       left join lateral (select json_agg(p.n) d from main.u p where p.t_id = o.id) y on true
       where o.t_id = t.id) x on true`,
  )
  expect(lowered).toBe(
    'select (select json_agg(json_build_array(u1.id, (select json_agg(u2.n) from u2 where (u2.t_id = u1.id)))) ' +
      'from u1 where (u1.t_id = t3.id)) from t3',
  )
})

test('a whole lateral row is one subquery', async () => {
  const lowered = await loweredForTest(
    'select to_json(x) from main.t left join lateral (select n, code from main.u where u.t_id = t.id limit 1) x on true',
  )
  expect(lowered).toBe(
    'select to_json((select row(d1.c1, d1.c2) from (select u2.n, u2.code from u2 where (u2.t_id = t3.id) limit 1) d1)) from t3',
  )
})

test('under an outer join the value is NULL where the row is made up', async () => {
  const lowered = await loweredForTest(
    `select t.id, x.c from main.t left join (main.u cross join lateral
       (select count(*) c from main.u w where w.t_id = u.id) x) on u.t_id = t.id`,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 left join ' +
      '(select (select count(*) from u3 where (u3.t_id = u4.id)), u4.t_id from u4) d2 on (d2.c2 = t1.id)',
  )
})

test('groups are made of what is calculated before', async () => {
  const lowered = await loweredForTest(
    'select x.c, count(*) from main.t cross join lateral (select count(*) c from main.u where u.t_id = t.id) x group by x.c',
  )
  expect(lowered).toBe(
    'select d1.c1, count(*) from (select (select count(*) from u2 where (u2.t_id = t3.id)) from t3) d1 group by d1.c1',
  )
})

test('a volatile subquery is evaluated once for each row', async () => {
  const lowered = await loweredForTest(
    'select x.r, x.r from main.t cross join lateral (select random() + t.id as r) x',
  )
  expect(lowered).toBe(
    'select d1.c1, d1.c1 from t2 cross join rows_of((select (random() + t2.id))) d1',
  )
})

test('arguments of functions still see what is on their left', async () => {
  const lowered = await loweredForTest(
    'select g from main.t cross join lateral generate_series(1, t.a) g',
  )
  expect(lowered).toBe('select d1.c1 from t2 cross join generate_series(1, t2.a) d1')
})

test('the side of an outer join that refers to what is beside it becomes rows of a function', async () => {
  const lowered = await loweredForTest(
    `select t.id, u.n, x.c from main.t left join (main.u cross join lateral
       (select count(*) c from main.u w where w.t_id = t.id) x) on u.t_id = t.id`,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1, d2.c2 from t1 left join rows_of((select u3.n, d4.c1, u3.t_id from u3 cross join ' +
      '(select count(*) from u5 where (u5.t_id = t1.id)) d4)) d2 on (d2.c3 = t1.id)',
  )
})

test('inner joins lose their parentheses, which would hide what is outside', async () => {
  const lowered = await loweredForTest(
    `select t.id, x.n from main.t join (main.v cross join lateral
       (select n from main.u where u.t_id = t.id order by id limit 2) x) on v.x = t.a`,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 cross join v3 cross join ' +
      'rows_of((select u4.n from u4 where (u4.t_id = t1.id) order by u4.id limit 2)) d2 where (v3.x = t1.a)',
  )
})

test('conditions that were moved into a table leave it when it stands beside what they refer to', async () => {
  const permissions = [
    { table: 'main.t', roles: ['reader'], select: {} },
    { table: 'main.u', roles: ['reader'], select: { where: { n: { $gt: 1 } } } },
  ]
  const sql =
    'select t.id, x.code from main.t left join lateral (select code from main.u where u.t_id = t.id) x on true'
  const lowered = await loweredForTest(sql, [], permissions)
  expect(lowered).toBe(
    'select t1.id, u2.code from t1 left join u2[(u3.n > 1)] on (u2.t_id = t1.id)',
  )
})

test('rows of a function inside a subquery are no rows of the query around it', async () => {
  const lowered = await loweredForTest(
    `select x.d from main.t left join lateral (
       select json_agg((select sum(y.n) from (select n from main.u p where p.t_id = o.id order by n limit 2) y)) d
       from main.u o where o.t_id = t.id) x on true`,
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select (select json_agg((select sum(d1.c1) from rows_of((select u2.n from u2 where (u2.t_id = u3.id) order by #1 limit 2)) d1)) ' +
      'from u3 where (u3.t_id = t4.id)) from t4',
  )
})
