import { describe, expect, test } from 'vitest'
import {
  bindShop,
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

test('an alias hides the name', () => {
  expect(bindShop("update main.notes n set body = 'x' where n.id = 1 returning n.*")).toBeDefined()
  expect(shopFailure("update main.notes n set body = 'x' where notes.id = 1")).toContain('42P01')
})

describe('SET', () => {
  test('gives values the types of the columns', () => {
    expect(shopParameters('update main.customers set id = $1, active = $2, email = $3')).toBe(
      'integer, boolean, character varying',
    )
    expect(shopText("update main.notes set id = '1', day = default")).toBe(
      "update notes1/2 set id = '1':bigint, day = default",
    )
  })

  test('gives every column its part of a subquery', () => {
    const text = shopText(
      'update main.customers set (name, city) = (select status, body from main.orders, main.notes where customer_id = customers.id)',
    )
    expect(text).toMatch(
      /set name = subquery\(select q\d+\.status as status from \(select .*\) q\d+\), city = subquery\(select q\d+\.body as body from \(select .*\) q\d+\)$/,
    )
  })

  test.each([
    ["nope = 'x'", '42703 column "nope" does not exist (position 27)'],
    ['name = nope', '42703'],
    ["name = 'a', name = 'b'", '42601 multiple assignments to same column "name"'],
    ["(name, name) = ('a', 'b')", '42601 multiple assignments'],
    ["(name, city) = ('a', 'b', 'c')", '42601 number of columns does not match number of values'],
    ['(name, city) = (select status from main.orders)', '42601 number of columns'],
    ['(name, city) = name', '0A000 source for a multiple-column UPDATE item'],
    ['id = true', '42804 column "id" is of type integer but expression is of type boolean'],
    ["id = 'x'", '22P02'],
    ["id = ('a', 'b')", '42804 column "id" is of type integer but expression is of type record'],
    ['name = max(name)', '42803'],
    ['name = row_number() over ()', '42P20'],
  ])('%s', (set, failure) => {
    expect(shopFailure(`update main.customers set ${set}`)).toContain(failure)
  })

  test('cannot set what the database computes', () => {
    for (const set of ['id = 1', 'doubled = 2', '(id, n) = (1, 2)', '(id, n) = (select 1, 2)']) {
      expect(shopFailure(`update main.machine set ${set}`)).toContain('428C9')
    }
    expect(bindShop('update main.machine set id = default, doubled = default')).toBeDefined()
  })
})

describe('FROM', () => {
  test('adds tables to SET, WHERE and RETURNING', () => {
    expect(
      shopText(
        'update main.customers c set name = o.status from main.orders o where o.id = c.id returning o.id, c.*',
      ),
    ).toBe(
      'update customers1/2 set name = orders3.status from orders3 where (=(int4,int4) orders3.id old_customers1.id) returning orders3.id as id, new_customers2.id as id, new_customers2.name as name, new_customers2.email as email, new_customers2.city as city, new_customers2.active as active',
    )
    expect(shopColumns("update main.notes n set body = 'x' from main.products p returning *")).toBe(
      'id bigint, body text, day date, id integer, name text, weight double precision, tags integer[], extra jsonb',
    )
  })

  test('cannot use the table itself', () => {
    expect(
      shopFailure("update main.notes set body = 'x' from lateral (select notes.id) q"),
    ).toContain('42P10')
    expect(shopFailure("update main.notes set body = 'x' from (select notes.id) q")).toContain(
      '42P01',
    )
    expect(shopFailure("update main.notes set body = 'x' from main.notes")).toContain('42712')
    expect(bindShop("update main.notes set body = 'x' from main.notes n")).toBeDefined()
  })

  test('makes names ambiguous', () => {
    expect(shopFailure("update main.notes set body = 'x' from main.orders where id = 1")).toContain(
      '42702',
    )
  })
})

test('volatile rows are not computed twice', () => {
  expect(
    shopFailure('update main.customers set (id, name) = (select random(), random()::text)'),
  ).toContain('0A000')
})
