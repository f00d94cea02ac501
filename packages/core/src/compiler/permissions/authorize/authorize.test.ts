import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../foundation/caller.ts'
import type { BoundStatement, FromItem } from '../../bind/tree/bound-query.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import {
  accessOf,
  authorizeText,
  refusal,
  secured,
  securedForAdmin,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'

const mine = { tenant: '$user.tenant' }
const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { columns: ['id', 'status', 'customer_id'], where: mine },
  },
  customers: { table: 'main.customers', roles: ['r'], select: { columns: ['id', 'name'] } },
}

describe('every place where a table can stand is secured', () => {
  test.each([
    'select id from main.orders',
    'select 1 from main.customers c left join main.orders o on o.customer_id = c.id',
    'select 1 from (select id from main.orders) q',
    'select 1 from main.customers c, lateral (select o.id from main.orders o where o.customer_id = c.id) q',
    'with q as (select id from main.orders) select 1 from q',
    'with q as (select id from main.orders) select 1',
    'with recursive q(x) as (select id from main.orders union select x from q) select 1 from q',
    'select (select max(id) from main.orders)',
    'select array(select id from main.orders)',
    'select exists (select from main.orders)',
    'select 1 where 1 in (select id from main.orders)',
    'select 1 where 1 = all (select id from main.orders)',
    'select 1 union select id from main.orders',
    'select 1 except select id from main.orders',
    'values ((select max(id) from main.orders))',
    'select 1 order by (select max(id) from main.orders)',
    'select 1 limit (select max(id) from main.orders)',
    'select 1 offset (select max(id) from main.orders)',
    'select sum(1) filter (where exists (select from main.orders))',
    'select sum(1) over (order by (select max(id) from main.orders))',
    'select case when true then (select max(id) from main.orders) end',
    'select coalesce((select max(id) from main.orders), 1)',
    'select 1 from generate_series(1, (select max(id) from main.orders))',
    'select 1 from main.customers group by (select max(id) from main.orders)',
    'select 1 from main.customers having (select max(id) from main.orders) > 1',
    'select distinct on ((select max(id) from main.orders)) 1 from main.customers',
    'table main.orders',
    'select * from only main.orders',
  ])('%s', (sql) => {
    let statement: BoundStatement
    try {
      statement = authorizeText(sql, accessOf(permissions, user(['r'], { tenant: 'acme' })))
    } catch (error) {
      // A statement may be refused instead of secured.
      expect(error).toMatchObject({ status: 400 })
      return
    }
    const found: FromItem[] = []
    visitStatement(statement, { fromItem: (item) => void found.push(item) })
    const orders = found.filter((item) => item.kind === 'securedTable')
    expect(found.every(({ kind }) => kind !== 'table')).toBe(true)
    expect(orders.filter(({ table }) => table.name === 'orders')).toEqual([
      expect.objectContaining({ filter: expect.objectContaining({ kind: 'operator' }) }),
    ])
  })
})

describe('a column that is not readable is no column', () => {
  test.each([
    'select notes from main.orders',
    'select o.notes from main.orders o',
    'select main.orders.notes from main.orders',
    "select id from main.orders where notes = 'x'",
    'select id from main.orders order by notes',
    'select count(*) from main.orders group by notes',
    'select count(*) from main.orders having max(notes) is null',
    'select count(notes) from main.orders',
    'select count(*) filter (where notes is null) from main.orders',
    'select row_number() over (order by notes) from main.orders',
    'select row_number() over (partition by notes) from main.orders',
    'select row_number() over w from main.orders window w as (order by notes)',
    'select distinct on (notes) id from main.orders',
    'select 1 from main.orders o join main.customers c on o.notes = c.name',
    'select 1 from main.orders o join main.customers c using (notes)',
    'select (select notes) from main.orders',
    'select (select c.id from main.customers c where c.name = o.notes) from main.orders o',
    'select 1 from main.orders o, lateral (select o.notes) q',
    'select q.notes from (select * from main.orders) q',
    'with q as (select * from main.orders) select notes from q',
    'select id from main.orders union select 1 order by notes',
    'select 1 from main.orders as o(a, b, c) where notes is null',
  ])('%s', (sql) => {
    const hidden = refusal(sql, permissions)
    const missing = refusal(sql.replaceAll('notes', 'nopes'), permissions)
    expect([hidden.status, hidden.publicMessage]).toEqual([missing.status, missing.publicMessage])
    expect(hidden.status).toBeGreaterThanOrEqual(400)
  })
  test('stars and NATURAL see the others only', () => {
    expect(secured('select * from main.orders', permissions)).toMatch(
      /^select orders\.id, orders\.customer_id, orders\.status from/,
    )
    expect(
      secured('select 1 from main.orders o natural join main.customers c', permissions),
    ).toContain('on (orders.id = customers.id)')
    expect(secured('select to_json(o) from main.orders o', permissions)).toMatch(
      /^select to_json\(wholeRow\(orders\.id, orders\.customer_id, orders\.status\)\) from/,
    )
    expect(secured('select a, b, c from main.orders as o(a, b, c)', permissions)).toMatch(
      /^select orders\.id, orders\.customer_id, orders\.status from/,
    )
  })
  test('with full rights a column that is missing is a bad request', () => {
    expect(() => securedForAdmin('select nopes from main.orders')).toThrow(
      expect.objectContaining({ problem: 'unknownColumn', status: 400 }),
    )
  })
})

describe('tables', () => {
  test('that do not exist answer 404, those that are not granted 403', () => {
    expect(refusal('select 1 from main.nope', permissions)).toMatchObject({ status: 404 })
    expect(refusal('select 1 from main.tags', permissions)).toMatchObject({ status: 403 })
    expect(refusal('select 1 from main.orders', permissions, anonymous)).toMatchObject({
      status: 403,
    })
  })
  test('a refusal tells a developer why, and nobody else', () => {
    const error = refusal('select 1 from main.tags', permissions)
    expect(error.message).toBe(
      'Role "r" may not select "main.tags": no permission grants select on it.',
    )
    expect(error.publicMessage).toBe('You do not have permission to perform this operation.')
    expect(error.details).toEqual({
      table: 'main.tags',
      operation: 'select',
      role: 'r',
      evaluated_permissions: [],
    })
    const other = refusal('insert into main.orders (id) values (1)', permissions)
    expect(other.publicMessage).toBe(error.publicMessage)
    expect(other.details).toMatchObject({ evaluated_permissions: ['orders'] })
  })
})

describe('select.limit', () => {
  const limited = (limit: number, more: TestPermissions = {}): TestPermissions => ({
    a: { table: 'main.orders', roles: ['r'], select: { limit } },
    c: { table: 'main.customers', roles: ['r'], select: {} },
    ...more,
  })
  test('caps the rows of every answer that reads the table', () => {
    for (const sql of [
      'select id from main.orders',
      'select c.id from main.customers c, main.orders o',
      'select id from main.customers where id in (select id from main.orders)',
      'with q as (select id from main.orders) select * from q',
      'select id from main.customers union all select id from main.orders',
      'select id from main.orders limit 100',
    ]) {
      expect(secured(sql, limited(5))).toMatch(/ limit 5$/)
    }
    expect(secured('select id from main.customers', limited(5))).not.toContain('limit')
    expect(secured('select id from main.orders', limited(0))).toMatch(/ limit 0$/)
  })
  test('is the largest of what permissions give, the smallest of the tables', () => {
    const more = { b: { table: 'main.orders', roles: ['r'], select: { limit: 9 } } }
    expect(secured('select id from main.orders', limited(5, more))).toMatch(/ limit 9$/)
    const unlimited = { b: { table: 'main.orders', roles: ['r'], select: {} } }
    expect(secured('select id from main.orders', limited(5, unlimited))).not.toContain('limit')
    const other = { d: { table: 'main.customers', roles: ['r'], select: { limit: 2 } } }
    const both = { ...limited(5), ...other }
    delete (both as Record<string, unknown>)['c']
    expect(secured('select 1 from main.orders, main.customers', both)).toMatch(/ limit 2$/)
  })
  test('leaves no way around by ties', () => {
    const sql = 'select id from main.orders order by status fetch first 1 row with ties'
    expect(refusal(sql, limited(5))).toMatchObject({ problem: 'unsupported' })
    expect(
      secured('select id from main.customers order by id fetch first 1 row with ties', limited(5)),
    ).toBeTruthy()
  })
})

describe('select.aggregate: false', () => {
  const counted: TestPermissions = {
    a: { table: 'main.orders', roles: ['r'], select: { aggregate: false } },
    c: { table: 'main.customers', roles: ['r'], select: {} },
  }
  test.each([
    'select count(*) from main.orders',
    'select 1 from main.orders group by status',
    'select 1 from main.orders having true',
    'select row_number() over () from main.orders',
    'select sum(n) from (select id as n from main.orders) q',
    'select (select max(id) from main.orders)',
    'select array(select id from main.orders)',
    'select json_agg(o) from main.orders o',
    'select count(*) from main.customers where id in (select customer_id from main.orders)',
  ])('%s is refused', (sql) => {
    expect(refusal(sql, counted)).toMatchObject({
      status: 403,
      details: { evaluated_permissions: ['a'] },
    })
  })
  test('other tables may be aggregated, and it takes one permission to allow it', () => {
    expect(secured('select count(*) from main.customers', counted)).toBeTruthy()
    expect(
      secured('select count(*) from main.orders', {
        ...counted,
        b: { table: 'main.orders', roles: ['r'], select: {} },
      }),
    ).toBeTruthy()
  })
})

describe('locks', () => {
  const sql = 'select id from main.orders for update'
  test('need the right to update', () => {
    expect(refusal(sql, permissions)).toMatchObject({
      status: 403,
      details: { operation: 'update' },
    })
    expect(refusal('select id from main.orders for key share', permissions)).toMatchObject({
      status: 403,
    })
    expect(
      refusal('select 1 from (select id from main.orders) q for update', permissions),
    ).toMatchObject({ status: 403 })
  })
  test('and reach rows only that can be updated', () => {
    const updating = {
      ...permissions,
      u: { table: 'main.orders', roles: ['r'], update: { where: { status: 'new' } } },
    }
    expect(secured(sql, updating)).toContain(
      'filter ((orders!.tenant = $user.tenant) and (orders!.status = new))',
    )
    const two = 'select 1 from main.orders a, main.orders b for update of b'
    expect(secured(two, updating)).toMatch(
      /orders\[filter \(orders!\.tenant = \$user\.tenant\)\], orders2\[filter \(\(orders2!\.tenant = \$user\.tenant\) and \(orders2!\.status = new\)\)\]/,
    )
  })
})

test('each of several writes of one table has its security', () => {
  const sql = `with a as (delete from main.tags where id = 1 returning id)
    insert into main.tags (id) select id from a`
  expect(securedForAdmin(sql)).toContain('delete tags')
  expect(securedForAdmin(sql)).toContain('insert tags')
})

test('fields of a caller never appear, only where they come from', () => {
  const one = secured('select id from main.orders', permissions, user(['r'], { tenant: 'ACME' }))
  const other = secured('select id from main.orders', permissions, user(['r'], { tenant: 'b' }))
  expect(one).toBe(other)
  expect(one).not.toContain('ACME')
})

test('full rights leave a statement as it is', () => {
  expect(securedForAdmin('select notes from main.orders')).toBe('select orders.notes from orders')
  expect(securedForAdmin("update main.orders set notes = 'x' returning id")).toBe(
    'update orders set notes = x returning new.id\nrows orders',
  )
})
