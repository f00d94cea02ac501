/** @module Rechecks of many kinds of writes are well formed, and have the right number of queries. */
import { describe, expect, test } from 'vitest'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { AuthorizedStatement } from '../authorize/authorized.ts'
import {
  accessOf,
  authorizeText,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { faultsIn } from '../test-support/well-formed.ts'
import { needsPrecheck, needsRecheck, precheckOf, recheckOf } from './recheck.ts'

const mine = { tenant: '$user.tenant' }
const table = 'main.orders'
const one: TestPermissions = {
  orders: {
    table,
    roles: ['r'],
    select: { where: mine },
    insert: { check: { tenant: '$user.tenant', status: { $ne: 'x' }, total: { $gt: 0 } } },
    update: { where: mine, check: { total: { $gt: 0 }, customer: { level: 1 } } },
    delete: { where: mine },
  },
  customers: { table: 'main.customers', roles: ['r'], select: {} },
  tags: { table: 'main.tags', roles: ['r'], select: {}, insert: {}, update: {}, delete: {} },
}
const several: TestPermissions = {
  ...one,
  more: {
    table,
    roles: ['r'],
    select: { columns: ['id', 'total'], where: { id: { $lt: 9 } } },
    insert: { check: { notes: 'n' } },
    update: { where: { id: { $lt: 9 } }, check: { notes: { $isNull: true } } },
  },
}
const free: TestPermissions = {
  orders: { table, roles: ['r'], select: {}, insert: {}, update: {}, delete: {} },
}

function authorized(sql: string, permissions: TestPermissions): AuthorizedStatement {
  const access = accessOf(permissions, user(['r'], { tenant: 'acme' }))
  return authorizeText(sql, access) as AuthorizedStatement
}

const row = "(id, tenant, status, total) values (1, 'a', 'b', 2)"
const writes: readonly (readonly [string, number])[] = [
  [`insert into main.orders ${row}`, 1],
  ['insert into main.orders (id, total) values (1, 2), (2, default), (3, default)', 1],
  ["insert into main.orders (id, status) values (1, 'a'), (2, default), (3, default)", 2],
  ['insert into main.orders default values', 1],
  ["insert into main.orders (id, tenant) select id, 'a' from main.customers", 1],
  [`insert into main.orders ${row} on conflict do nothing`, 1],
  [`insert into main.orders ${row} on conflict (id) do nothing`, 1],
  [
    `insert into main.orders ${row} on conflict (id) do update set total = orders.total + excluded.total`,
    2,
  ],
  [
    `insert into main.orders ${row} on conflict (id) do update set total = default, status = default`,
    2,
  ],
  [
    `insert into main.orders ${row} on conflict (id) do update set total = 1 where orders.total > excluded.total`,
    2,
  ],
  ["insert into main.orders (tenant) values ('a') on conflict (id) do update set total = 1", 2],
  ['update main.orders set total = total - 1', 1],
  ['update main.orders set total = default where id = 1', 1],
  [
    'update main.orders set total = c.level from main.customers c where c.id = customer_id and 1 / total = 1',
    1,
  ],
  ['update main.orders set notes = (select max(name) from main.customers) where id = 1', 1],
  ['delete from main.orders', 0],
  ["update main.tags set name = 'x'", 0],
]

/** Writes whose checks read values that only the database computes. */
const unknowable: ReadonlySet<string> = new Set([
  'insert into main.orders (id, total) values (1, 2), (2, default), (3, default)',
  "insert into main.orders (id, status) values (1, 'a'), (2, default), (3, default)",
  'insert into main.orders default values',
  "insert into main.orders (id, tenant) select id, 'a' from main.customers",
  `insert into main.orders ${row} on conflict (id) do update set total = default, status = default`,
  "insert into main.orders (tenant) values ('a') on conflict (id) do update set total = 1",
])

describe.each([
  ['one permission', one],
  ['several permissions', several],
] as const)('with %s', (_, permissions) => {
  test.each(writes)('%s', (sql, count) => {
    const statement = authorized(sql, permissions)
    expect(needsRecheck(statement)).toBe(count > 0)
    const { queries, isComplete } = recheckOf(statement)
    expect(isComplete).toBe(!unknowable.has(sql))
    expect(queries.length).toBe(count)
    for (const query of [...queries, ...precheckOf(statement).queries]) {
      expect(faultsIn(query)).toEqual([])
      expect(query.body).toMatchObject({
        kind: 'select',
        columns: [{ name: '?column?', type: { oid: 23, typmod: -1 } }],
        outputs: [{ kind: 'constant', value: '1' }],
        distinct: 'none',
        isAggregated: false,
        locking: [],
        limit: { count: undefined, max: 1, withTies: false },
      })
      expect(idsOf(query)).toEqual([...new Set(idsOf(query))])
      expect(Math.max(-1, ...idsOf(query))).toBeLessThan(query.nextId)
    }
  })
})

/** Relations that a statement defines; each copy of a part must have ids of its own. */
function idsOf(statement: AuthorizedStatement): readonly number[] {
  const ids: number[] = []
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'join') ids.push(item.id)
    },
  })
  return ids
}

describe('before an INSERT with ON CONFLICT', () => {
  test.each<[string, TestPermissions, number]>([
    [`insert into main.orders ${row} on conflict (id) do nothing`, one, 1],
    [`insert into main.orders ${row} on conflict (id) do update set total = 1`, one, 1],
    [
      "insert into main.orders (id, status) values (1, 'a'), (2, default) on conflict do nothing",
      several,
      2,
    ],
    [`insert into main.orders ${row}`, one, 0],
    [`insert into main.orders ${row} on conflict (id) do nothing`, free, 0],
    ['update main.orders set total = 1', one, 0],
  ])('%s', (sql, permissions, count) => {
    const statement = authorized(sql, permissions)
    expect(needsPrecheck(statement)).toBe(count > 0)
    expect(precheckOf(statement).queries).toHaveLength(count)
  })
})

describe('in WITH', () => {
  test('writes are judged with the queries that they may refer to', () => {
    const { queries, isComplete } = recheckOf(
      authorized(
        `with known as (select 1 as x), w as (with own as (select 2 as y)
          insert into main.orders (id, tenant, status, total) select x + y, 'a', 'b', 1 from known, own returning id)
        update main.tags set name = 'x'`,
        one,
      ),
    )
    expect(isComplete).toBe(true)
    expect(queries.map(({ body }) => body.ctes.length)).toEqual([2])
  })
  test('what reads a write cannot be known, nor what reads that', () => {
    const sql = (source: string) => `with w as (insert into main.tags (id) values (1) returning id),
      q as (select id from w), other as (select 7 as id)
      insert into main.orders (id, tenant, total) select id, 'a', 1 from ${source}`
    for (const source of ['w', 'q']) {
      const { queries, isComplete } = recheckOf(authorized(sql(source), one))
      expect([source, isComplete, queries.length]).toEqual([source, false, 0])
    }
  })
  test('what reads no write is known', () => {
    const { queries, isComplete } = recheckOf(
      authorized(
        `with w as (insert into main.tags (id) values (1) returning id), other as (select 7 as id)
        insert into main.orders (id, tenant, status, total) select id, 'a', 'b', 1 from other`,
        one,
      ),
    )
    expect([isComplete, queries.length]).toEqual([true, 1])
  })
  test('nothing to judge is nothing to ask', () => {
    const statement = authorized('select id from main.orders', one)
    expect([needsRecheck(statement), needsPrecheck(statement)]).toEqual([false, false])
    expect(recheckOf(statement)).toEqual({ queries: [], isComplete: true, isPure: true })
    expect(recheckOf(authorized(`insert into main.orders ${row}`, free)).queries).toEqual([])
  })
})
