import { expect, test } from 'vitest'
import { loweredForTest } from './test-support/lowered-for-test.ts'

test('a limit of unknown size is not taken for one row, a whole key is', async () => {
  const byParameter = await loweredForTest(
    'select x.n from main.t left join lateral (select n from main.u where u.t_id = t.id limit $1) x on true',
    [1],
  )
  expect(byParameter).toContain('rows_of(')
  const byKey = await loweredForTest(
    'select x.n from main.t left join lateral (select n from main.u where u.id = t.a limit $1) x on true',
    [1],
  )
  expect(byKey).toBe('select (select u1.n from u1 where (u1.id = t2.a) limit $1) from t2')
})

test('conditions that were moved into a table leave it when it stands beside what they refer to', async () => {
  const permissions = [
    { table: 'main.t', roles: ['reader'], select: {} },
    { table: 'main.u', roles: ['reader'], select: { where: { n: { $gt: 1 } } } },
  ]
  const sql =
    'select t.id, x.code from main.t left join lateral (select code from main.u where u.t_id = t.id) x on true'
  const lowered = await loweredForTest(sql, [], permissions)
  expect(lowered).toBe(
    'select t1.id, u2.code from t1 left join u2[(u3.n > 1)] on (u2.t_id = t1.id)',
  )
})
