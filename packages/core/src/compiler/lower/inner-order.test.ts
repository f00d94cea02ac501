import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('aggregates are told the order of the rows they read', async () => {
  const lowered = await loweredForTest(
    'select json_agg(x.n) from (select n from main.u order by code limit 3) x',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select json_agg(d1.c1 order by d1.c2) from (select u2.n, u2.code from u2 order by u2.code limit 3) d1',
  )
})

test('a query keeps the order of the rows it reads', async () => {
  const lowered = await loweredForTest(
    'select x.n from (select n from main.u order by code) x',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select d1.c1 from (select u2.n, u2.code from u2 order by u2.code) d1 order by d1.c2',
  )
})

test('an order of its own wins', async () => {
  const lowered = await loweredForTest(
    'select x.n from (select n from main.u order by code) x order by x.n desc',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select d1.c1 from (select u2.n from u2 order by u2.code) d1 order by #1 desc',
  )
})
