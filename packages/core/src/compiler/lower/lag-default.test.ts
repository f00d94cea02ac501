import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a default stands where no row is far enough', async () => {
  const lowered = await loweredForTest(
    'select lag(n, 1, 0) over (partition by t_id order by id), lead(n, 2, 5) over (order by id) from main.u',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select case when (d1.c1 <= 1) then 0 else d1.c2 end, case when ((d1.c3 + 2) > d1.c4) then 5 else d1.c5 end from (select row_number() over (partition by u2.t_id order by u2.id), lag(u2.n, 1) over (partition by u2.t_id order by u2.id), row_number() over (order by u2.id), count() over (), lead(u2.n, 2) over (order by u2.id) from u2) d1',
  )
})
