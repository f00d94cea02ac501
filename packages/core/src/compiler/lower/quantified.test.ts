import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('IN over a limited query reads it in FROM', async () => {
  const lowered = await loweredForTest(
    'select id from main.t where a in (select n from main.u order by id limit $1)',
    [1],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select t1.id from t1 where (t1.a = any (select d2.c1 from (select u3.n, u3.id from u3 order by u3.id limit $1) d2 order by d2.c2))',
  )
})
