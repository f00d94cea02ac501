import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('groups for each row on the left are made once, by key', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n, x.c from main.t join lateral (select n, count(*) c from main.u where u.t_id = t.id group by n) x on true',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1, d2.c2 from t1 inner join (select u3.n, count(*), u3.t_id from u3 group by u3.n, u3.t_id) d2 on true where (d2.c3 = t1.id)',
  )
})

test('a limit becomes a number within each key', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.c from main.t left join lateral (select n, count(*) c from main.u where u.t_id = t.id group by n order by 2 limit 3) x on x.c > 1',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c2 from t1 left join (select d3.c1, d3.c2, d3.c3, row_number() over (partition by d3.c3 order by d3.c2) from (select u4.n, count(*), u4.t_id from u4 group by u4.n, u4.t_id) d3) d2 on ((d2.c3 = t1.id) and (d2.c4 <= engine_row_limit(3, false)) and (d2.c2 > 1))',
  )
})

test('distinct rows are joined by key', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t join lateral (select distinct n from main.u where u.t_id = t.id) x on true',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 inner join (select distinct u3.n, u3.t_id from u3) d2 on true where (d2.c2 = t1.id)',
  )
})

test('window functions look at the rows of one key', async () => {
  const lowered = await loweredForTest(
    'select t.id, (select max(z.n) from (select distinct on (code) n, code from main.u where u.t_id = t.id order by code, n) z) from main.t',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, (select max(d2.c1) from (select u3.n, u3.code, row_number() over (partition by u3.code, u3.t_id order by u3.code, u3.n), u3.t_id from u3) d2 where ((d2.c4 = t1.id) and (d2.c3 = 1))) from t1',
  )
})

test('set operations with the same keys are joined by them', async () => {
  const lowered = await loweredForTest(
    'select t.id, x.n from main.t join lateral (select n from main.u where u.t_id = t.id union select a from main.t s where s.id = t.id) x on true',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id, d2.c1 from t1 inner join ((select u3.n, u3.t_id from u3) union (select t4.a, t4.id from t4)) d2 on true where (d2.c2 = t1.id)',
  )
})

test('what is compared otherwise is refused', async () => {
  const sql =
    'select t.id, x.n from main.t join lateral (select distinct n from main.u where u.t_id < t.id) x on true'
  await expect(loweredForTest(sql, [], [], withoutMuch)).rejects.toMatchObject({
    problem: 'unsupported',
  })
})
