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
    'select case when (row_number() over (partition by u1.t_id order by u1.id) <= 1) then 0 else lag(u1.n, 1) over (partition by u1.t_id order by u1.id) end, case when ((row_number() over (order by u1.id) + 2) > count() over ()) then 5 else lead(u1.n, 2) over (order by u1.id) end from u1',
  )
})
