import { describe, expect, test } from 'vitest'
import type { BoundStatement } from '../../bind/tree/bound-query.ts'
import {
  accessOf,
  authorizeText,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { describeStatement } from '../test-support/describe-statement.ts'
import { needsRecheck, recheckOf } from './recheck.ts'

const mine = { tenant: '$user.tenant' }
const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { columns: ['id', 'status', 'total', 'tenant'], where: mine },
    insert: { check: { tenant: '$user.tenant', status: 'new' } },
    update: { where: mine, check: { total: { $gt: 0 }, status: 'new' } },
    delete: {},
  },
  tags: { table: 'main.tags', roles: ['r'], select: {}, insert: {}, update: {} },
}

function authorized(sql: string): BoundStatement {
  return authorizeText(sql, accessOf(permissions, user(['r'], { tenant: 'acme' })))
}

/** The queries of a recheck as text, with `?` at the end when some rows cannot be known. */
function recheckText(sql: string): readonly string[] {
  const { queries, isComplete } = recheckOf(authorized(sql) as Parameters<typeof recheckOf>[0])
  return [...queries.map(describeStatement), ...(isComplete ? [] : ['?'])]
}

test('an INSERT is judged by the rows that it proposes', () => {
  expect(recheckText("insert into main.orders (id, tenant, status) values (1, 'a', 'b')")).toEqual([
    'select 1 from (values) where (((subquery.c2 = $user.tenant) and (subquery.c3 = new)) is not true) limit 1',
  ])
})

test('what the database makes of a column that is left out is not known', () => {
  expect(recheckText("insert into main.orders (id, tenant) values (1, 'a')")).toEqual([
    'select 1 from (values) where (((subquery.c2 = $user.tenant) and true) is not true) limit 1',
    '?',
  ])
  expect(recheckText('insert into main.orders (id) values (1)')).toEqual([
    'select 1 from (values) where (((null = $user.tenant) and true) is not true) limit 1',
    '?',
  ])
})

test('rows that leave out different columns are judged apart', () => {
  const sql =
    "insert into main.orders (id, tenant, status) values (1, 'a', 'b'), (2, 'a', default), (3, 'a', 'c')"
  const [first, second, unknown, ...others] = recheckText(sql)
  expect([first, second]).toEqual([
    expect.stringContaining('subquery.c3 = new'),
    expect.stringContaining('and true'),
  ])
  expect([unknown, ...others]).toEqual(['?'])
})

test('a volatile value is not known where the check reads it, and only there', () => {
  const [query, ...others] = recheckText(
    "insert into main.orders (id, tenant, status) values (1, 'a', gen_random_uuid()::text)",
  )
  expect([query, ...others]).toEqual([expect.stringContaining('subquery.c3'), '?'])
  const notRead = recheckText(
    "insert into main.orders (id, tenant, status, notes) values (1, 'a', 'b', gen_random_uuid()::text)",
  )
  expect(notRead).not.toContain('?')
})

test('only what reads no table is the same in every state of the database', () => {
  const isPure = (sql: string) =>
    recheckOf(authorized(sql) as Parameters<typeof recheckOf>[0]).isPure
  expect(isPure("insert into main.orders (id, tenant, status) values (1, 'a', 'b')")).toBe(true)
  expect(isPure("insert into main.orders (id, tenant, status) select 1, 'a', 'b'")).toBe(true)
  expect(
    isPure("insert into main.orders (id, tenant, status) select id, name, 'b' from main.tags"),
  ).toBe(false)
  expect(isPure('update main.orders set total = 5')).toBe(false)
})

test('an UPDATE is judged by the rows that it may touch, raw and behind a barrier', () => {
  expect(recheckText('update main.orders set total = total - 5 where id = 1')).toEqual([
    'select 1 from orders[filter (orders!.tenant = $user.tenant); barrier] where case when (orders.id = 1) then ((((orders.total - 5) > 0) and (orders.status = new)) is not true) else false end limit 1',
  ])
})

test('an upsert is judged by both arms', () => {
  const sql =
    "insert into main.orders (id, tenant, status) values (1, 'a', 'new') on conflict (id) do update set total = orders.total + 1"
  const [inserted, updated, ...others] = recheckText(sql)
  expect(inserted).toContain('case when not(exists(')
  expect(updated).toContain('barrier')
  expect(others).toEqual([])
})

describe('there is nothing to judge', () => {
  test.each([
    'select id from main.orders',
    "insert into main.tags (id, name) values (1, 'x')",
    "update main.tags set name = 'x'",
    'delete from main.orders where id = 1',
  ])('%s', (sql) => {
    expect(needsRecheck(authorized(sql) as Parameters<typeof needsRecheck>[0])).toBe(false)
  })
})

test('a write that reads what another returned cannot be known', () => {
  const sql = `with a as (insert into main.tags (id, name) values (1, 'x') returning id)
    insert into main.orders (id, tenant, status) select id, 'a', 'new' from a`
  expect(recheckText(sql)).toEqual(['?'])
  const apart = `with a as (insert into main.tags (id, name) values (1, 'x') returning id)
    insert into main.orders (id, tenant, status) values (1, 'a', 'new')`
  expect(recheckText(apart)).toHaveLength(1)
})

test('the writes of a MERGE are judged one by one', () => {
  const merge = `merge into main.orders o using main.tags t on o.id = t.id
    when matched then update set status = 'new' when not matched then insert (id, status) values (t.id, 'new')`
  const texts = recheckText(merge)
  expect(texts).toHaveLength(2)
  expect(texts.join()).not.toContain('?')
})

test('two writes of a table, one with ON CONFLICT, cannot be known', () => {
  const sql = `with gone as (delete from main.orders)
    insert into main.orders (id, tenant, status) values (1, 'a', 'new') on conflict (id) do nothing`
  expect(recheckText(sql)).toContain('?')
})
