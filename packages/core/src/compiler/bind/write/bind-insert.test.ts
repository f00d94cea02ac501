import { describe, expect, test } from 'vitest'
import {
  bindShop,
  shopError,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

describe('rows of VALUES', () => {
  test('have the types of the columns', () => {
    expect(
      shopText(
        `insert into main.notes (body, id, day) values ($1, '1', default), (null, 2, '2024-01-31')`,
      ),
    ).toBe(
      "insert into notes1/2 (body, id, day) values ($1:text, '1':bigint, default), (null:text, '2':bigint, '2024-01-31':date)",
    )
    expect(
      shopParameters('insert into main.products (id, weight, tags, extra) values ($1, $2, $3, $4)'),
    ).toBe('integer, double precision, integer[], jsonb')
  })

  test('one list with a set-returning function is that of a SELECT', () => {
    expect(
      shopText('insert into main.notes (id, body) values (generate_series(1, 3), $1)'),
    ).toContain('select')
    expect(
      shopFailure('insert into main.notes (id) values (1), (generate_series(1, 3))'),
    ).toContain('0A000 set-returning functions are not allowed in VALUES')
    expect(
      shopText('insert into main.notes (id) values ((select max(n) from generate_series(1, 3) n))'),
    ).toContain('values (')
  })

  test.each([
    ['(id, name) values (1)', '42601 INSERT has more target columns than expressions'],
    ["(id, name) values (1, 'a', 'b')", '42601 INSERT has more expressions than target columns'],
    ["values (1, 'a', 'b', 'c', true, 6)", '42601 INSERT has more expressions than target columns'],
    ["(id, name) values (1, 'a'), (2)", '42601 VALUES lists must all be the same length'],
    ['(id, nope) values (1, 2)', '42703 column "nope" does not exist (position 33)'],
    ['(id, id) values (1, 2)', '42701 column "id" specified more than once (position 33)'],
    ['(id) values (name)', '42703'],
    ['(id) values (customers.id)', '42P01'],
    ['(id) values (count(*))', '42803'],
    ["(id) values ('x')", '22P02'],
    [
      '(id) values (true)',
      '42804 column "id" is of type integer but expression is of type boolean',
    ],
    [
      '(id) values (row(1, 2))',
      '42804 column "id" is of type integer but expression is of type record',
    ],
    ['(name) values ((1, 2))', '0A000 a row constructor'],
    ["(email) values ('more than twenty characters')", '22001'],
    ['(id) select true', '42804 column "id" is of type integer'],
    ['(id, name) select 1', '42601'],
  ])('%s', (rest, failure) => {
    expect(shopFailure(`insert into main.customers ${rest}`)).toContain(failure)
  })

  test('a bad literal is the value’s fault', () => {
    expect(shopError("insert into main.customers (id) values ('x')").status).toBe(422)
  })
})

describe('rows of a query', () => {
  test.each([
    ['select distinct total from main.orders', '(select distinct'],
    ['select total from main.orders order by 1', '(select orders3.total'],
    ['select total from main.orders union select 2', '((select orders3.total'],
    ['values (1.5) limit 1', "(values ('1.5':numeric)"],
  ])('and around it otherwise: %s', (query, inner) => {
    expect(shopText(`insert into main.customers (id) ${query}`)).toMatch(
      /^insert into customers1\/2 \(id\) select \(implicit integer\/function q\d+\.\w+\) as \w+ from /,
    )
    expect(shopText(`insert into main.customers (id) ${query}`)).toContain(inner)
  })

  test('may use WITH before and inside', () => {
    const inside = 'insert into main.notes (id) with a as (select 1 as n) select n from a'
    const before = 'with a as (select 1 as n) insert into main.notes (id) select n from a'
    expect(bindShop(inside)).toBeDefined()
    expect(bindShop(before).body.ctes).toHaveLength(1)
  })
})

describe('columns that the database computes', () => {
  test.each([
    ['(doubled) values (1)', 'doubled'],
    ['(doubled) overriding system value values (1)', 'doubled'],
    ['(id) values (1)', 'id'],
    ['(id) select 1', 'id'],
    ['(n, id) values (1, default), (1, 2)', 'id'],
  ])('%s', (rest, column) => {
    expect(shopFailure(`insert into main.machine ${rest}`)).toContain(
      `428C9 cannot insert a non-DEFAULT value into column "${column}"`,
    )
  })

  test('may be defaulted, identities overridden', () => {
    expect(shopText('insert into main.machine (id, doubled) values (default, default)')).toContain(
      'values (default, default)',
    )
    expect(shopText('insert into main.machine (id) overriding system value values (1)')).toBe(
      "insert into machine1/2 (id) overriding system values ('1':integer)",
    )
    expect(bindShop('insert into main.machine (id) overriding user value select 1')).toBeDefined()
  })
})

test('views are read only', () => {
  for (const sql of [
    'insert into main.open_orders (id) values (1)',
    'update main.open_orders set id = 1',
    'delete from main.open_orders',
  ]) {
    expect(shopFailure(sql)).toContain('0A000 writing to the view "open_orders" is not supported')
  }
})
