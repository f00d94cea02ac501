import { describe, expect, test } from 'vitest'
import { bindShop, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('tables', () => {
  test('an alias renames the first columns', () => {
    expect(shopText('select i.*, i.quantity as q from main.order_items as i(a, b)')).toBe(
      'select order_items1.order_id as a, order_items1.product_id as b, order_items1.quantity as quantity, order_items1.price as price, order_items1.quantity as q from order_items1',
    )
    expect(shopFailure('select 1 from main.notes as n(a, b, c, d)')).toBe(
      '42P10 table "n" has 3 columns available but 4 columns specified (position 15)',
    )
  })

  test('an alias hides the name', () => {
    expect(shopFailure('select orders.id from main.orders o')).toBe(
      '42P01 missing FROM-clause entry for table "orders" (position 8)',
    )
    expect(shopFailure('select main.orders.id from main.orders o')).toContain('42P01')
  })

  test('no two may have one name', () => {
    expect(shopFailure('select 1 from main.orders, main.orders')).toBe(
      '42712 table name "orders" specified more than once (position 28)',
    )
    expect(bindShop('select 1 from main.orders, main.orders o')).toBeDefined()
  })

  test('have no system columns', () => {
    for (const column of ['ctid', 'xmin', 'rowid', 'oid', '_rowid_']) {
      expect(shopFailure(`select ${column} from main.notes`)).toContain('42703')
      expect(shopFailure(`select n.${column} from main.notes n`)).toContain('42703')
    }
  })
})

describe('names', () => {
  test('of columns that two items have are ambiguous', () => {
    expect(shopFailure('select id from main.orders, main.notes')).toBe(
      '42702 column reference "id" is ambiguous (position 8)',
    )
    expect(shopFailure('select q.a from (select 1 as a, 2 as a) q')).toContain('42702')
  })

  test('of items alone mean their rows', () => {
    expect(shopText('select to_json(n) from main.notes n')).toBe(
      'select (to_json(anyelement) (row id=notes1.id body=notes1.body day=notes1.day)) as to_json from notes1',
    )
    expect(shopText('select to_json(t) from (select 1 as t) t')).toBe(
      "select (to_json(anyelement) q1.t) as to_json from (select '1':integer as t) q1",
    )
    expect(shopFailure('select n from main.notes n')).toContain('whole row')
    expect(shopFailure('select to_json(j) from (main.notes n cross join main.orders) j')).toContain(
      'whole row',
    )
  })

  test('have three parts at most', () => {
    expect(shopFailure('select a.main.notes.id from main.notes')).toContain('0A000')
  })
})

describe('stars', () => {
  test('need something to stand for', () => {
    expect(shopFailure('select *')).toBe(
      '42601 SELECT * with no tables specified is not valid (position 8)',
    )
    expect(shopFailure('select x.*')).toContain('42P01')
    expect(shopFailure('select (select *) from main.notes')).toContain('42601')
  })
})

describe('LATERAL', () => {
  test('a subquery without it sees none of them', () => {
    expect(shopFailure('select 1 from main.orders o, (select o.id) q')).toContain('42P01')
    expect(shopFailure('select 1 from main.orders o, (select status) q')).toContain('42703')
  })

  test('cannot see the side that a join completes with NULLs', () => {
    for (const type of ['right', 'full']) {
      const sql = `select 1 from main.orders o ${type} join lateral (select o.id) q on true`
      expect(shopFailure(sql)).toContain(
        '42P10 invalid reference to FROM-clause entry for table "o"',
      )
      expect(shopFailure(sql.replace('o.id', 'status'))).toContain('42P10')
    }
  })
})
