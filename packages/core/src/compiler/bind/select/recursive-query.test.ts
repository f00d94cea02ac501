import { expect, test } from 'vitest'
import { bindShop, shopFailure } from '../test-support/bind-shop-for-test.ts'

const orders = 'main.orders o'

test.each([
  ['select 1 union all select n + 1 from t', undefined],
  ['select 1 union select n from (select n from t) q', undefined],
  [`select 1 union all select o.id from t left join ${orders} on o.id = t.n`, undefined],
  [`select 1 union all select o.id from ${orders} right join t on o.id = t.n`, undefined],
  [`select 1 union all select o.id from t join ${orders} on o.id = t.n`, undefined],
  ['(select 1 limit 1) union all select n from t', undefined],
  ['select 1 union all (with x as (select n from t) select n from x)', undefined],
  ['select 1 union all (select n from t where n in (select 1 intersect select 2))', undefined],
  ['select 1 union all (select n from t intersect select 1)', undefined],
  ['select 1 union all (with t as (select 2 as n) select n from t)', undefined],
  ['select 1 union all (with recursive t as (select 2 as n) select n from t)', undefined],
  ['select n from t', 'does not have the form non-recursive-term UNION [ALL] recursive-term'],
  ['select 1 intersect select n from t', 'does not have the form'],
  ['select 1 except select n from t', 'does not have the form'],
  ['select n from t union all select 1', 'must not appear within its non-recursive term'],
  ['select 1 union all select n from t union all select n from t', 'within its non-recursive term'],
  ['select 1 union all select a.n from t a, t b', 'must not appear more than once'],
  ['select 1 union all (select n from t union select n from t)', 'must not appear more than once'],
  ['select 1 union all select (select n from t)', 'must not appear within a subquery'],
  ['select 1 union all select 1 where exists (select 1 from t)', 'within a subquery'],
  [`select 1 union all select o.id from ${orders} left join t on true`, 'within an outer join'],
  [`select 1 union all select o.id from t right join ${orders} on true`, 'within an outer join'],
  [`select 1 union all select o.id from t full join ${orders} on true`, 'within an outer join'],
  ['select 1 union all (select 1 except select n from t)', 'within EXCEPT'],
  ['select 1 union all (select n from t intersect all select 1)', 'within INTERSECT'],
  ['select 1 union all select max(n) from t', 'aggregate functions are not allowed'],
  ['select 1 union all select n from t order by 1', 'ORDER BY in a recursive query'],
  ['select 1 union all select n from t limit 1', 'LIMIT in a recursive query'],
  ['select 1 union all select n from t offset 1', 'OFFSET in a recursive query'],
  [
    'select 1 union all select n + 1.5 from t',
    'has type integer in non-recursive term but type numeric overall',
  ],
  [
    'delete from main.notes where id in (select n from t)',
    'must not contain data-modifying statements',
  ],
])('%s', (query, failure) => {
  const sql = `with recursive t(n) as (${query}) select * from t`
  if (failure === undefined) expect(bindShop(sql)).toBeDefined()
  else expect(shopFailure(sql)).toContain(failure)
})

test('two that use each other are refused', () => {
  expect(
    shopFailure(
      'with recursive a as (select 1 union all select * from b), b as (select 1 union all select * from a) select 1',
    ),
  ).toContain('0A000 mutual recursion')
  expect(
    shopFailure('with recursive a as (select * from b), b as (select * from a) select 1'),
  ).toContain('0A000 mutual recursion')
})
