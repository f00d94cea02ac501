import { expect, test } from 'vitest'
import { loweredForTest, withoutLateral, withoutMuch } from './test-support/lowered-for-test.ts'

const lowered = (sql: string) => loweredForTest(sql, [], [], withoutMuch)

test('what is calculated with aggregates is calculated over a subquery of them', async () => {
  expect(
    await lowered(
      'select t_id, sum(n) / count(*), sum(n) + t_id from main.u group by t_id having max(code) > t_id::text order by count(*) + 1',
    ),
  ).toBe(
    'select d1.c1, (d1.c2 / d1.c3), (d1.c2 + d1.c1) from (select u2.t_id, sum(u2.n), count(*), max(u2.code) from u2 group by u2.t_id) d1 where (d1.c4 > d1.c1) order by (d1.c3 + 1)',
  )
})

test('window functions stand below what is calculated with them, groups below them', async () => {
  expect(await lowered('select lag(code) over (order by id) || code from main.u where n > 1')).toBe(
    'select (d1.c1 || d1.c2) from (select lag(u2.code) over (order by u2.id), u2.code from u2 where (u2.n > 1)) d1',
  )
  expect(
    await lowered('select sum(sum(n) + 1) over (order by t_id) * 2 from main.u group by t_id'),
  ).toBe(
    'select (d1.c1 * 2) from (select sum((d2.c1 + 1)) over (order by d2.c2) from (select sum(u3.n), u3.t_id from u3 group by u3.t_id) d2) d1',
  )
})

test('calls alone and comparisons of counts stay where they are', async () => {
  const sql =
    'select t_id, sum(n), rank() over (order by max(n)) from main.u group by t_id having count(*) > 1 order by max(n)'
  expect(await lowered(sql)).not.toContain('from (')
  const calculated = 'select sum(n) / count(*) from main.u'
  expect(await loweredForTest(calculated, [], [], withoutLateral)).not.toContain('from (')
})

test('a group that refers to an outer query is a list of one row, several are refused', async () => {
  expect(
    await lowered('select (select sum(n) / count(*) from main.u where u.t_id = t.id) from main.t'),
  ).toBe(
    'select (select (d1.c1 / d1.c2) from rows_of((select sum(u2.n), count(*) from u2 where (u2.t_id = t3.id))) d1) from t3',
  )
  const groups = (value: string) =>
    `select (select ${value} from main.u where u.t_id = t.id group by u.n limit 1) from main.t`
  expect(await lowered(groups('coalesce(sum(n) + count(*), 0)'))).not.toContain('from (')
  await expect(lowered(groups('sum(n) / count(*)'))).rejects.toMatchObject({
    problem: 'unsupported',
  })
  await expect(lowered(groups('lag(count(*)) over (order by n) / 2'))).rejects.toMatchObject({
    problem: 'unsupported',
  })
})
