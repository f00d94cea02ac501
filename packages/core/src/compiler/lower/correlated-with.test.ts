import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a WITH query that refers to what is outside is put where it is used', async () => {
  const lowered = await loweredForTest(
    'select t.id, (with q as (select n from main.u where u.t_id = t.id) select max(n) from q) from main.t',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe('select t1.id, (select max(u2.n) from u2 where (u2.t_id = t1.id)) from t1')
})
