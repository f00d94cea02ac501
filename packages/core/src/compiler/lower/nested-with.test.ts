import { expect, test } from 'vitest'
import { loweredForTest, withoutLateral, withoutMuch } from './test-support/lowered-for-test.ts'

function lowered(sql: string): Promise<string> {
  return loweredForTest(sql, [], [], withoutMuch)
}

const inSubquery =
  'with a as (select id from main.t) select (with b as (select id from a) select max(id) from b)'

test('an inner WITH query that refers to an outer one stands beside it', async () => {
  expect(await lowered(inSubquery)).toBe(
    'with q1 as (select t2.id from t2), q3 as (select d4.c1 from q1 d4) select (select max(d5.c1) from q3 d5)',
  )
  expect(await loweredForTest(inSubquery, [], [], withoutLateral)).toContain(' select (with ')
})
