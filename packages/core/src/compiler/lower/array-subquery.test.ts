import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('rows become an array where they are read', async () => {
  const lowered = await loweredForTest(
    'select array(select n from main.u where u.t_id = t.id order by code desc) from main.t',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select coalesce((select array_agg(u1.n order by u1.code desc) from u1 where (u1.t_id = t2.id)), ) from t2',
  )
})

test('limited rows become an array around their list', async () => {
  const lowered = await loweredForTest(
    'select array(select n from main.u where u.t_id = t.id order by code desc limit 2) from main.t',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select coalesce((select array_agg(d1.c1 order by d1.c2 desc) from rows_of((select u2.n, u2.code from u2 where (u2.t_id = t3.id) order by u2.code desc limit 2)) d1), ) from t3',
  )
})

test('distinct rows become an array around the subquery', async () => {
  const lowered = await loweredForTest(
    'select array(select distinct n from main.u order by n)',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select coalesce((select array_agg(d1.c1 order by d1.c1) from (select distinct u2.n from u2 order by #1) d1), )',
  )
})
