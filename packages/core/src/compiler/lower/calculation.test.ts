import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a subquery that reads nothing is its value', async () => {
  const sql = 'select (select a + 1), (select a where id > 1) from main.t'
  const lowered = await loweredForTest(sql, [], [], withoutMuch)
  expect(lowered).toBe('select (t1.a + 1), case when (t1.id > 1) then t1.a end from t1')
})

test('what is compared with it is compared with its value', async () => {
  const sql =
    'select id in (select a), id > all (select a where id > 1), (id, a) in (select a, id where a > 2) from main.t'
  const lowered = await loweredForTest(sql, [], [], withoutMuch)
  expect(lowered).toBe(
    'select (t1.id = t1.a), case when (t1.id > 1) then (t1.id > t1.a) else true end, ' +
      'case when (t1.a > 2) then ((t1.id, t1.a) = (t1.a, t1.id)) else false end from t1',
  )
})

test('it stays where subqueries see everything', async () => {
  expect(await loweredForTest('select (select a + 1) from main.t')).toBe(
    'select (select (t1.a + 1)) from t1',
  )
})
