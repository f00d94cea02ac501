/** @module The queries about a write that failed, or before a write whose error could reveal too much: as text. */
import { expect, test } from 'vitest'
import type { AuthorizedStatement } from '../authorize/authorized.ts'
import {
  accessOf,
  authorizeText,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { describeStatement } from '../test-support/describe-statement.ts'
import { precheckOf, recheckOf } from './recheck.ts'

const table = 'main.orders'
const mine = { tenant: '$user.tenant' }
const one: TestPermissions = {
  orders: {
    table,
    roles: ['r'],
    select: { where: mine },
    insert: { check: { tenant: '$user.tenant', total: { $gt: 0 } } },
    update: { where: mine, check: { total: { $gt: 0 }, status: 'new' } },
  },
  customers: { table: 'main.customers', roles: ['r'], select: {} },
  samples: {
    table: 'main.samples',
    roles: ['r'],
    select: {},
    insert: { check: { twice: 1, flag: true } },
    update: { check: { twice: 1, flag: true } },
  },
}
const several: TestPermissions = {
  ...one,
  more: {
    table,
    roles: ['r'],
    select: { columns: ['id', 'total'], where: { id: { $lt: 9 } } },
    update: { where: { id: { $lt: 9 } }, check: { notes: 'n' } },
  },
}

test.each<[string, TestPermissions, readonly string[]]>([
  [
    "insert into main.orders (id, tenant, total) values (1, 'a', 2) on conflict (id) do update set total = orders.total + excluded.total, status = default where orders.total > excluded.total",
    one,
    [
      'select 1 from (values) where case when not(exists(select 1 from orders where (orders.id = subquery.c1) limit 1)) then (((subquery.c2 = $user.tenant) and (subquery.c3 > 0) and true) is not true) else false end limit 1',
      'select 1 from (values), orders[filter (orders!.tenant = $user.tenant); barrier] where ((orders.id = subquery.c1) and case when (orders.id = subquery.c1) then case when (orders.total > subquery.c3) then (((orders.tenant = $user.tenant) and ((orders.total + subquery.c3) > 0) and true) is not true) else false end end) limit 1',
      'select 1 from (values) where (((subquery.c2 = $user.tenant) and (subquery.c3 > 0)) is not true) limit 1',
    ],
  ],
  [
    "insert into main.orders (id, tenant, total) values (1, 'a', 2) on conflict do nothing",
    one,
    [
      'select 1 from (values) where case when not((exists(select 1 from orders where (orders.id = subquery.c1) limit 1) or exists(select 1 from orders2 where (orders2.code = null) limit 1))) then (((subquery.c2 = $user.tenant) and (subquery.c3 > 0)) is not true) else false end limit 1',
      'select 1 from (values) where (((subquery.c2 = $user.tenant) and (subquery.c3 > 0)) is not true) limit 1',
    ],
  ],
  [
    "insert into main.orders (id, tenant, total, code) values (1, 'a', 2, default) on conflict (code) do update set total = 1",
    one,
    [
      'select 1 from (values) where case when not(exists(select 1 from orders where (orders.code = null) limit 1)) then (((subquery.c2 = $user.tenant) and (subquery.c3 > 0) and true) is not true) else false end limit 1',
      'select 1 from (values), orders[filter (orders!.tenant = $user.tenant); barrier] where ((orders.code = null) and case when (orders.code = null) then (((orders.tenant = $user.tenant) and (1 > 0) and (orders.status = new)) is not true) end) limit 1',
      'select 1 from (values) where (((subquery.c2 = $user.tenant) and (subquery.c3 > 0)) is not true) limit 1',
    ],
  ],
  [
    "insert into main.orders (id, tenant, total) values (1, 'a', 2) on conflict (id) do update set total = excluded.total",
    several,
    [
      'select 1 from (values) where case when not(exists(select 1 from orders where (orders.id = subquery.c1) limit 1)) then (((subquery.c2 = $user.tenant) and (subquery.c3 > 0) and ((true and (subquery.c3 > 0) and true) or (true and (null = n)))) is not true) else false end limit 1',
      'select 1 from (values), orders[filter (((orders!.tenant = $user.tenant) or (orders!.id < 9)) and ((orders!.tenant = $user.tenant) or (orders!.id < 9))); barrier] where ((orders.id = subquery.c1) and case when (orders.id = subquery.c1) then (((orders.tenant = $user.tenant) and (subquery.c3 > 0) and (((orders.tenant = $user.tenant) and (subquery.c3 > 0) and (orders.status = new)) or ((orders.id < 9) and (orders.notes = n)))) is not true) end) limit 1',
      'select 1 from (values) where (((subquery.c2 = $user.tenant) and (subquery.c3 > 0)) is not true) limit 1',
    ],
  ],
  [
    "update main.orders set total = c.level + total from main.customers c where c.id = customer_id and status = 'x'",
    several,
    [
      'select 1 from orders[filter (((orders!.tenant = $user.tenant) or (orders!.id < 9)) and ((orders!.tenant = $user.tenant) or (orders!.id < 9))); barrier], customers where case when ((customers.id = case when (orders.tenant = $user.tenant) then orders.customer_id end) and (case when (orders.tenant = $user.tenant) then orders.status end = x)) then ((((orders.tenant = $user.tenant) and ((customers.level + orders.total) > 0) and (orders.status = new)) or ((orders.id < 9) and (orders.notes = n))) is not true) else false end limit 1',
    ],
  ],
  [
    'update main.orders set status = notes where id = 1',
    several,
    [
      'select 1 from orders[filter (((orders!.tenant = $user.tenant) or (orders!.id < 9)) and ((orders!.tenant = $user.tenant) or (orders!.id < 9))); barrier] where case when (orders.id = 1) then ((((orders.tenant = $user.tenant) and (orders.total > 0) and (case when (orders.tenant = $user.tenant) then orders.notes end = new)) or ((orders.id < 9) and (orders.notes = n))) is not true) else false end limit 1',
    ],
  ],
  [
    'insert into main.samples (flag) values (true), (default)',
    one,
    ['select 1 from (values) where ((true and (subquery.c1 = true)) is not true) limit 1'],
  ],
  [
    'update main.samples set flag = default, code = $1',
    one,
    ['select 1 from samples where ((true and (null = true)) is not true) limit 1'],
  ],
  [
    'insert into main.orders default values',
    one,
    ['select 1 where (((null = $user.tenant) and (null > 0)) is not true) limit 1'],
  ],
  [
    'insert into main.orders (id, total) select level, id from main.customers',
    one,
    [
      'select 1 from (select null, cast(customers.id) from customers) where (((null = $user.tenant) and (subquery.c2 > 0)) is not true) limit 1',
    ],
  ],
])('%s', (sql, permissions, expected) => {
  const access = accessOf(permissions, user(['r'], { tenant: 'acme' }))
  const statement = authorizeText(sql, access) as AuthorizedStatement
  const queries = [...recheckOf(statement).queries, ...precheckOf(statement).queries]
  expect(queries.map(describeStatement)).toEqual(expected)
})
