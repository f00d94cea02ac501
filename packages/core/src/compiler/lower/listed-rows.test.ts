import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('limited rows for each row on the left are listed', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t left join lateral (select n from main.u where u.t_id = t.id order by id limit 3) x on x.n > 1',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 left join rows_of((select u3.n from u3 where (u3.t_id = t1.id) order by u3.id limit 3)) d2 on (d2.c1 > 1)',
  )
})

test('a limit may come with the request', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t, lateral (select n from main.u where u.t_id = t.id order by id limit $1 offset $2) x',
    [1, 2],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 cross join rows_of((select u3.n from u3 where (u3.t_id = t1.id) order by u3.id limit $1 offset $2)) d2',
  )
})

test('a subquery in FROM that refers to an outer query is listed', async () => {
  const lowered = await loweredForTest(
    'select t.id, (select sum(n) from (select n from main.u where u.t_id = t.id order by id limit 2) x) from main.t',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, (select sum(d2.c1) from rows_of((select u3.n from u3 where (u3.t_id = t1.id) order by u3.id limit 2)) d2) from t1',
  )
})

test('VALUES of what is on the left are listed', async () => {
  const lowered = await loweredForTest(
    'select t.id, v.x from main.t, lateral (values (t.id), (t.a)) v(x)',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 cross join rows_of(((select t1.id) union all (select t1.a))) d2',
  )
})

test('a row that is used as a whole is listed even where there is only one', async () => {
  const lowered = await loweredForTest(
    'select to_json(x) from main.t cross join lateral (select t.a + 1 as b) x',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select to_json(row(d1.c1)) from t2 cross join rows_of((select (t2.a + 1))) d1',
  )
})
