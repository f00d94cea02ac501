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

test('with all that stands before it, and from any depth', async () => {
  expect(
    await lowered(
      `with a as (select id from main.t) select 1 from (
         with b as (select 1 as x), c as (select x from b join a on true)
         select (with d as (select x from c) select max(x) from d) from c
       ) s`,
    ),
  ).toBe(
    'with q1 as (select t2.id from t2), q3 as (select 1), q4 as (select d5.c1 from q3 d5 inner join q1 d6 on true), q7 as (select d8.c1 from q4 d8) select 1 from (select (select max(d9.c1) from q7 d9) from q4 d10) d11',
  )
})

test('an inner WITH query inside a WITH query stands before that', async () => {
  expect(
    await lowered(
      `with a as (select id from main.t),
         b as (select x from (with c as (select id as x from a) select x from c) s)
       select x from b`,
    ),
  ).toBe(
    'with q1 as (select t2.id from t2), q3 as (select d4.c1 from q1 d4), q5 as (select d6.c1 from (select d7.c1 from q3 d7) d6) select d8.c1 from q5 d8',
  )
})

test('grouping sets that read a WITH query', async () => {
  expect(
    await lowered(
      'with a as (select id from main.t) select n from (select count(*) as n from a group by cube (id)) s',
    ),
  ).toBe(
    'with q1 as (select t2.id from t2), q3 as (select d4.c1 from q1 d4) select d5.c1 from (select d6.c1 from ((select count(*) from q3 d7 group by d7.c1) union all (select count(*) from q3 d8)) d6) d5',
  )
})

test('an inner WITH query that refers to nothing outside stays', async () => {
  expect(
    await lowered(
      'with a as (select id from main.t) select (with b as (select 1 as x) select max(x) from b join a on true)',
    ),
  ).toBe(
    'with q1 as (select t2.id from t2) select (with q3 as (select 1) select max(d4.c1) from q3 d4 inner join q1 d5 on true)',
  )
})

test('WITH of a write', async () => {
  expect(
    await lowered(
      `with a as (select id from main.t)
       delete from main.u where t_id in (with b as (select id from a) select id from b)`,
    ),
  ).toBe('delete where (u1.t_id = any (select d2.c1 from q3 d2))')
})
