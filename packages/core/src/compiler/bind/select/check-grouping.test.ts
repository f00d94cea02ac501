import { describe, expect, test } from 'vitest'
import { bindShop, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('ungrouped columns are refused', () => {
  test.each([
    ['select id, count(*) from main.orders', 'orders.id'],
    ['select o.id from main.orders o group by o.status', 'o.id'],
    ['select status from main.orders group by status having id = 1', 'orders.id'],
    ['select status from main.orders group by status order by id', 'orders.id'],
    ['select distinct on (id) status from main.orders group by status', 'orders.id'],
    ['select id + 2 from main.orders group by id + 1', 'orders.id'],
    ['select status from main.orders group by lower(status)', 'orders.status'],
    ['select rank() over (order by id) from main.orders group by status', 'orders.id'],
    ['select percentile_cont(id) within group (order by id) from main.orders', 'orders.id'],
    ['select id from main.orders having true', 'orders.id'],
    ['select count(*) from main.orders window w as (order by id)', 'orders.id'],
    ['select * from main.notes group by id', 'notes.body'],
    ['select q.name from (select * from main.customers) q group by q.id', 'q.name'],
    ['select i.price from main.order_items i group by i.order_id', 'i.price'],
    ['select p.extra from main.products p group by p.name', 'p.extra'],
    ['select name from main.customers group by rollup (id)', 'customers.name'],
    ['select to_json(o) from main.orders o group by o.status', 'o.id'],
  ])('%s', (sql, column) => {
    expect(shopFailure(sql)).toContain(
      `42803 column "${column}" must appear in the GROUP BY clause or be used in an aggregate function`,
    )
  })

  test('inside subqueries too', () => {
    expect(
      shopFailure(
        'select status, (select count(*) from main.notes n where n.id = o.id) from main.orders o group by status',
      ),
    ).toContain('42803 subquery uses ungrouped column "o.id" from outer query')
  })
})

describe('grouped are', () => {
  test.each([
    'select upper(lower(status)) from main.orders group by lower(status)',
    'select (id + total) * freight from main.orders group by id + total, freight',
    'select a + 1, max(b) from (select id as a, total as b from main.orders) q group by a',
    'select sum(count(*)) over (order by status) from main.orders group by status',
    'select percentile_cont(0.5) within group (order by id) from main.orders group by status',
    'select (select count(*) from main.notes n where n.body = o.status) from main.orders o group by status',
    'select count(id) filter (where total > 1) from main.orders group by status',
    'select status from main.orders group by 1 having status > $1 order by lower(status)',
  ])('%s', (sql) => {
    expect(bindShop(sql)).toBeDefined()
  })
})

describe('columns that depend on a grouped primary key', () => {
  test('in every grouping set', () => {
    const sets =
      'grouping sets ((i.order_id, i.product_id), (i.product_id, i.order_id, i.quantity))'
    expect(shopText(`select i.price from main.order_items i group by ${sets}`)).toContain(
      'group by order_items1.order_id, order_items1.product_id, order_items1.quantity, order_items1.price sets {0,1,3}{1,0,2,3}',
    )
  })

  test('in HAVING, ORDER BY and subqueries', () => {
    expect(
      shopText(
        'select (select o.status) from main.orders o group by o.id having o.total > 1 order by o.freight',
      ),
    ).toContain('group by orders1.id, orders1.status, orders1.total, orders1.freight')
  })

  test('are those of its own table', () => {
    expect(
      shopFailure('select o.status from main.customers c join main.orders o on true group by c.id'),
    ).toContain('o.status')
  })
})
