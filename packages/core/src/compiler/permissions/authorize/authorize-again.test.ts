/**
 * @module `authorize` trusts no other stage: it checks names again that were bound with full rights, and also the parts of a
 * statement that other stages made.
 */
import { describe, expect, test } from 'vitest'
import { admin } from '../../../foundation/caller.ts'
import { bindStatement } from '../../bind/bind.ts'
import type { BoundStatement, SelectQuery } from '../../bind/tree/bound-query.ts'
import { parseStatement } from '../../sql/parse.ts'
import { catalogView } from '../access/catalog-view.ts'
import { accessOf, authorizeText, shop, user } from '../test-support/authorize-for-test.ts'
import { describeStatement } from '../test-support/describe-statement.ts'
import { authorize } from './authorize.ts'

const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { columns: ['id', 'status', 'customer_id'], limit: 4 },
    insert: { columns: ['id', 'total'] },
    update: { columns: ['status', 'total'] },
    delete: {},
  },
  customers: { table: 'main.customers', roles: ['r'], select: { columns: ['id'] } },
}
const access = accessOf(permissions, user(['r']))

/** As if no name had been hidden during binding. */
function boundWithFullRights(sql: string): BoundStatement {
  const parsed = parseStatement(sql)
  return bindStatement(parsed, {
    catalog: shop.catalog,
    view: () => catalogView(accessOf({}, admin)),
    parameterCount: parsed.parameterCount,
  })
}

describe('a hidden column is refused wherever it got into a statement', () => {
  test.each([
    'select total from main.orders',
    'select o.total from main.customers c join main.orders o on true',
    'select 1 from main.orders where total = 1',
    'select 1 from main.customers c join main.orders o on o.total = c.id',
    'select 1 from main.orders group by total',
    'select 1 from main.orders order by total',
    'select id from main.orders group by id having max(total) = 1',
    'select (select total from main.orders limit 1)',
    'select 1 from (select total as x from main.orders) q',
    'with q as (select total from main.orders) select 1',
    'select 1 union select total from main.orders',
    'update main.orders set status = $1 where total = 1',
    'update main.orders set total = total + 1',
    'update main.orders set status = $1 returning total',
    'update main.orders set status = c.name from main.customers c where c.id = customer_id',
    'delete from main.orders where total = 1',
    'delete from main.orders returning total',
    'insert into main.orders (id) values (1) returning total',
    'insert into main.orders (id) select total from main.orders',
    'insert into main.orders (id) values (1) on conflict (id) do update set status = orders.total::text',
    'insert into main.orders (id) values (1) on conflict (id) do update set status = $1 where orders.total = 1',
  ])('%s', (sql) => {
    expect(() => authorize(boundWithFullRights(sql), access)).toThrow(
      expect.objectContaining({
        problem: 'columnDenied',
        sqlState: '42501',
        message: expect.stringMatching(
          /^Column "(total|name)" of "main"."\w+" is not readable for role "r".$/,
        ),
        details: expect.objectContaining({ operation: 'select', role: 'r' }),
      }),
    )
  })
  test.each([
    'select id, status from main.orders where customer_id = 1',
    'insert into main.orders (id, total) values (1, 1) on conflict (id) do update set total = excluded.total',
    'select x from (select id as x from main.orders) q',
    'select g from generate_series(1, 2) g',
  ])('others are not: %s', (sql) => {
    expect(() => authorize(boundWithFullRights(sql), access)).not.toThrow()
  })
})

test('a caller with full rights is not checked', () => {
  const statement = boundWithFullRights('select total, count(*) from main.orders group by total')
  expect(describeStatement(authorize(statement, accessOf({}, admin)))).toBe(
    'select orders.total, count() from orders',
  )
})

describe('a limit', () => {
  const limited = (max: number | undefined, sql = 'select id from main.orders') => {
    const statement = boundWithFullRights(sql)
    const body: SelectQuery = {
      ...(statement.body as SelectQuery),
      ...(max === undefined ? {} : { limit: { count: undefined, withTies: false, max } }),
    }
    const { limit } = authorize({ ...statement, body }, access).body as SelectQuery
    return limit
  }
  test('of a permission and one that was there: the smaller one', () => {
    expect(limited(undefined)).toEqual({ count: undefined, withTies: false, max: 4 })
    expect(limited(2)).toEqual({ count: undefined, withTies: false, max: 2 })
    expect(limited(9)).toEqual({ count: undefined, withTies: false, max: 4 })
  })
  test('is only put where a permission asks for one', () => {
    expect(limited(undefined, 'select id from main.customers')).toBeUndefined()
    expect(limited(7, 'select id from main.customers')?.max).toBe(7)
    expect(limited(undefined, 'select 1')).toBeUndefined()
  })
  test('of the client stays beside it', () => {
    const { body } = authorizeText('select id from main.orders limit 2', access)
    const { limit } = body as SelectQuery
    expect(limit).toMatchObject({
      count: { kind: 'constant', value: '2' },
      withTies: false,
      max: 4,
    })
  })
})
