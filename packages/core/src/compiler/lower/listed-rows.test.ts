import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

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
