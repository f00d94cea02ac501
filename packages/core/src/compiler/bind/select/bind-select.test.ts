import { describe, expect, test } from 'vitest'
import {
  bindShop,
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

describe('ORDER BY', () => {
  test('fills in where NULLs go', () => {
    const { body } = bindShop(
      'select id from main.notes order by id, day desc, id nulls first, day desc nulls last',
    )
    expect('orderBy' in body && body.orderBy.map(({ nullsFirst }) => nullsFirst)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test.each([
    ['order by 2', '42P10 ORDER BY position 2 is not in select list (position 37)'],
    ["order by 'x'", '42601 non-integer constant in ORDER BY (position 37)'],
    ['order by nope', '42703 column "nope" does not exist (position 37)'],
    ['order by data', '42883 could not identify an ordering operator for type json (position 37)'],
  ])('%s', (order, failure) => {
    expect(shopFailure(`select id from main.orders ${order}`)).toBe(failure)
  })

  test('a name of two different columns is ambiguous', () => {
    expect(shopFailure('select id as x, total as x from main.orders order by x')).toBe(
      '42702 ORDER BY "x" is ambiguous (position 54)',
    )
    expect(bindShop('select id as x, id as x from main.orders order by x')).toBeDefined()
  })
})

describe('DISTINCT', () => {
  test('sorts by its own columns only', () => {
    expect(shopText('select distinct lower(status) from main.orders order by lower(status)')).toBe(
      'select distinct (lower(text) orders1.status) as lower from orders1 order by (output 0)',
    )
    expect(shopFailure('select distinct status from main.orders order by id')).toContain(
      '42P10 for SELECT DISTINCT',
    )
  })

  test('compares its columns', () => {
    expect(shopFailure('select distinct data from main.orders')).toContain('42883')
    expect(shopColumns("select distinct 'a' as x, null as y")).toBe('x text, y text')
  })

  test.each([
    'select distinct on (status) id from main.orders order by id',
    'select distinct on (status, total) id from main.orders order by status, id',
    'select distinct on (status, total) id from main.orders order by status, id, total',
  ])('%s', (sql) => {
    expect(shopFailure(sql)).toContain('42P10 SELECT DISTINCT ON')
  })
})

describe('aggregates make one group', () => {
  test.each([
    ['select count(*) from main.orders', true],
    ['select 1 from main.orders having true', true],
    ['select 1 from main.orders order by count(*)', true],
    ['select 1 from main.orders group by ()', true],
    ['select (select count(*) from main.notes) from main.orders', false],
    ['select sum(id) over () from main.orders', false],
  ])('%s', (sql, isAggregated) => {
    const { body } = bindShop(sql)
    expect('isAggregated' in body && body.isAggregated).toBe(isAggregated)
  })
})

describe('windows', () => {
  test('have different names', () => {
    expect(shopFailure('select 1 from main.notes window w as (), w as ()')).toBe(
      '42P20 window "w" is already defined (position 47)',
    )
  })

  test('make sense even when nobody uses them', () => {
    expect(shopFailure('select 1 from main.notes window w as (order by nope)')).toContain('42703')
    expect(shopFailure('select 1 from main.notes window w as (v)')).toContain('42704')
  })
})

describe('types', () => {
  test('of bare literals and parameters are text, once nothing else decides', () => {
    expect(shopColumns("select 'a', null, $1")).toBe('?column? text, ?column? text, ?column? text')
    expect(shopParameters('select $1')).toBe('text')
    expect(shopColumns('select q.x || 1 from (select null as x) q')).toBe('?column? text')
  })

  test('the first use of a parameter decides', () => {
    expect(shopParameters('select id from main.orders where id = $1 and total = $2')).toBe(
      'integer, bigint',
    )
    expect(shopFailure('select $1 from main.orders where id = $1')).toContain('42P08')
  })
})

test('a select list has PostgreSQL’s limit', () => {
  const list = (length: number) => `select ${Array(length).fill('1').join()}`
  expect(shopFailure(list(1665))).toContain('54011')
  expect(bindShop(list(1664))).toBeDefined()
})
