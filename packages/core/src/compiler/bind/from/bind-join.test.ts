import { describe, expect, test } from 'vitest'
import { shopColumns, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('USING', () => {
  test('merges a pair of columns, which comes first in a star', () => {
    expect(shopColumns('select * from main.notes join main.customers using (id)')).toBe(
      'id bigint, body text, day date, name text, email character varying(20), city text, active boolean',
    )
  })

  test.each([
    ['join', 'q2.quantity'],
    ['left join', '(implicit bigint/function order_items1.quantity)'],
    ['right join', 'q2.quantity'],
    ['full join', '(coalesce (implicit bigint/function order_items1.quantity) q2.quantity)'],
  ])('the merged column of a %s', (join, merged) => {
    const other = '(select 1::bigint as quantity) b'
    const text = shopText(
      `select quantity from main.order_items a ${join} ${other} using (quantity)`,
    )
    expect(text).toContain(`select ${merged} as quantity from`)
    expect(text).toContain('on (=(int2,int8) order_items1.quantity q2.quantity)')
  })

  test('may have a name', () => {
    const join = 'main.orders o join main.notes n using (id) as u'
    expect(shopColumns(`select u.id, u.* from ${join}`)).toBe('id bigint, id bigint')
    expect(shopFailure(`select u.body from ${join}`)).toContain('42703')
    expect(shopFailure(`select 1 from ${join.replace('as u', 'as n')}`)).toContain('42712')
    expect(shopFailure(`select u.id from (${join}) as whole`)).toContain('42P01')
    expect(shopColumns(`select u.id from (${join}) as u`)).toBe('id bigint')
  })

  test('needs each column once on both sides', () => {
    const join = (using: string) =>
      shopFailure(`select 1 from main.orders o join main.customers c using (${using})`)
    expect(join('nope')).toContain('42703')
    expect(join('status')).toContain('42703')
    expect(join('id, id')).toContain('42701')
    expect(
      shopFailure(
        'select 1 from (main.orders o join main.notes n on true) join main.customers c using (id)',
      ),
    ).toBe('42702 common column name "id" appears more than once in left table')
  })

  test('needs an equality', () => {
    expect(shopFailure('select 1 from main.orders a join main.orders b using (data)')).toContain(
      '42883',
    )
  })
})

describe('NATURAL', () => {
  test('without common names joins all rows', () => {
    expect(shopText('select z from main.notes natural join (select 1 as z) q')).toContain(
      'cross join',
    )
    expect(shopText('select z from main.notes natural full join (select 1 as z) q')).toContain(
      "on 'true':boolean",
    )
  })
})

describe('the name of a join', () => {
  test('is the only one to reach its columns', () => {
    const join = '(main.orders o join main.customers c on c.id = o.customer_id) as j(a)'
    expect(shopText(`select j.a, status from ${join}`)).toBe(
      'select orders1.id as a, orders1.status as status from (orders1 inner join customers2 on (=(int4,int4) customers2.id orders1.customer_id))',
    )
    expect(shopFailure(`select o.id from ${join}`)).toContain('42P01')
    expect(shopColumns(`select j.id, j.customer_id from ${join}`)).toBe(
      'id integer, customer_id integer',
    )
  })
})

describe('ON', () => {
  test('sees the two sides of its join only', () => {
    expect(
      shopFailure('select 1 from main.orders a, main.customers b join main.notes c on c.id = a.id'),
    ).toContain('42P01')
    expect(
      shopText(
        'select 1 from main.orders a cross join main.customers b join main.notes c on a.id = b.id',
      ),
    ).toBe(
      "select '1':integer as ?column? from ((orders1 cross join customers2) inner join notes3 on (=(int4,int4) orders1.id customers2.id))",
    )
  })

  test('sees outer levels', () => {
    expect(
      shopText(
        'select exists (select 1 from main.notes n join main.customers c on c.id = o.id) from main.orders o',
      ),
    ).toContain('on (=(int4,int4) customers3.id orders1.id)')
  })

  test('is a condition', () => {
    expect(shopFailure('select 1 from main.orders a join main.notes b on 1')).toBe(
      '42804 argument of JOIN/ON must be type boolean, not type integer (position 50)',
    )
    expect(shopFailure('select 1 from main.orders a join main.notes b on count(*) > 1')).toContain(
      '42803',
    )
  })
})

test('conditions and columns of a deep chain', () => {
  const chain = Array.from({ length: 300 }, (_, i) => ` join main.notes n${i + 1} using (id)`)
  expect(shopColumns(`select id from main.notes n0${chain.join('')}`)).toBe('id bigint')
})
