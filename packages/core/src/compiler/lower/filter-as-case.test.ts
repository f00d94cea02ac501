import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('FILTER is CASE where an aggregate skips NULL, and stays where it does not', async () => {
  const lowered = await loweredForTest(
    'select sum(n) filter (where n > 1), count(*) filter (where n > 1), json_agg(n) filter (where n > 1) from main.u',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select sum(case when (u1.n > 1) then u1.n end), count(case when (u1.n > 1) then true end), json_agg(u1.n) filter (where (u1.n > 1)) from u1',
  )
})
