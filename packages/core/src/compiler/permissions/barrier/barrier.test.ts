import { describe, expect, test } from 'vitest'
import {
  secured,
  securedForAdmin,
  type TestPermissions,
} from '../test-support/authorize-for-test.ts'

const mine = { tenant: '$user.tenant' }
const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { where: mine },
    update: { where: mine },
    delete: { where: mine },
  },
  customers: { table: 'main.customers', roles: ['r'], select: { where: mine } },
}

/** The conditions that were moved inside the barrier of `table`. */
function pushed(sql: string, table = 'orders', all = permissions): string | undefined {
  const found = new RegExp(`${table}\\[([^[\\]]*); barrier\\]`).exec(secured(sql, all))
  const [, ...rest] = (found?.[1] ?? '').split('; pushed ')
  return found === null ? undefined : rest.join(' & ')
}

describe('leakproof conditions on the table alone move behind its barrier', () => {
  test.each([
    ['select 1 from main.orders where id = $1 and total / 2 > 1', '(orders!.id = $1)'],
    [
      "select 1 from main.orders where id in (1, 2) and status = 'x' and lower(notes) = 'x'",
      'inList(orders!.id, 1, 2) & (orders!.status = x)',
    ],
    [
      'select 1 from main.orders where (id = 1 or id = 2) and lower(notes) = $1',
      '((orders!.id = 1) or (orders!.id = 2))',
    ],
    ['select 1 from main.orders where lower(notes) = $1', ''],
    ['select 1 from main.orders where id = 1 or lower(notes) = $1', ''],
    ['select 1 from main.orders where 1 = 1 and lower(notes) = $1', ''],
    [
      'select 1 from main.orders where id = (select 1) and exists (select 2) and lower(notes) = $1',
      '',
    ],
  ])('%s', (sql, expected) => expect(pushed(sql)).toBe(expected))

  test('also in UPDATE and DELETE', () => {
    const condition = 'where id = $1 and total / 2 > 1'
    expect(pushed(`update main.orders set status = 'x' ${condition}`)).toBe('(orders!.id = $1)')
    expect(pushed(`delete from main.orders ${condition}`)).toBe('(orders!.id = $1)')
  })
  test('and in subqueries, with what is outside of them', () => {
    const inner = '(select o.id from main.orders o where o.id = c.id and lower(o.notes) = $1)'
    expect(pushed(`select ${inner} from main.customers c`)).toBe('(orders!.id = customers.id)')
  })
  test('they stay outside as well', () => {
    expect(
      secured('select 1 from main.orders where id = 1 and total / 2 > 1', permissions),
    ).toMatch(/where \(\(orders\.id = 1\) and \(\(orders\.total \/ 2\) > 1\)\)$/)
  })
})

describe('joins', () => {
  const where = 'where o.id = 1 and c.id = 2 and lower(o.notes) = $1 and lower(c.name) = $2'
  test('conditions move to the side that they are on', () => {
    const sql = `select 1 from main.orders o join main.customers c on c.id = o.customer_id ${where}`
    expect(pushed(sql)).toBe('(orders!.id = 1)')
    expect(pushed(sql, 'customers')).toBe('(customers!.id = 2)')
  })
  test('never to a side that may be missing', () => {
    const sql = `select 1 from main.orders o left join main.customers c on c.id = o.customer_id ${where}`
    expect(pushed(sql)).toBe('(orders!.id = 1)')
    expect(pushed(sql, 'customers')).toBe('')
    const full = `select 1 from main.orders o full join main.customers c on c.id = o.customer_id ${where}`
    expect(pushed(full)).toBe('')
  })
  test('conditions on two tables stay outside', () => {
    expect(
      pushed(
        'select 1 from main.orders o, main.customers c where c.id = o.customer_id and lower(o.notes) = $1',
      ),
    ).toBe('')
  })
})

test('conditions on masked cells stay outside', () => {
  const sql = "select 1 from main.orders where id = 1 and status = 'x' and lower(notes) = $1"
  expect(
    pushed(sql, 'orders', {
      a: { table: 'main.orders', roles: ['r'], select: { where: mine } },
      b: {
        table: 'main.orders',
        roles: ['r'],
        select: { columns: ['id'], where: { id: { $lt: 9 } } },
      },
    }),
  ).toBe('(orders!.id = 1)')
})

describe('patterns', () => {
  test('are compared with an expression, of which a planner remembers no values', () => {
    expect(secured("select 1 from main.orders where notes like 'a%'", permissions)).toContain(
      'where (coalesce(orders.notes, orders.notes) ~~ a%)',
    )
    expect(secured('select 1 from main.orders where code ilike $1', permissions)).toContain(
      'where (coalesce(orders.code, orders.code) ~~* $1)',
    )
    expect(secured('select 1 from main.orders where notes like any($1)', permissions)).toContain(
      'where (coalesce(orders.notes, orders.notes) ~~ any $1)',
    )
    expect(
      secured('select 1 from main.orders where notes collate "C" not like $1', permissions),
    ).toContain('coalesce(collate(orders.notes), collate(orders.notes)) !~~ $1')
    expect(
      secured(
        'select 1 from (select notes as n from main.orders) q where n not ilike $1',
        permissions,
      ),
    ).toContain('coalesce(subquery.c1, subquery.c1) !~~* $1')
  })
  test('elsewhere they stay as they are', () => {
    expect(securedForAdmin("select 1 from main.orders where notes like 'a%'")).toContain(
      'where (orders.notes ~~ a%)',
    )
    expect(
      secured("select 1 from main.orders where lower(notes) like 'a%'", permissions),
    ).toContain('where (lower(orders.notes) ~~ a%)')
    expect(secured("select notes like 'a%' from main.orders", permissions)).toContain(
      'select (orders.notes ~~ a%)',
    )
  })
})

test('full rights need no barriers', () => {
  expect(securedForAdmin('select 1 from main.orders where total / 2 > 1')).toBe(
    'select 1 from orders where ((orders.total / 2) > 1)',
  )
})
