import { describe, expect, test } from 'vitest'
import {
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

describe('columns', () => {
  test('have the names of the first query and one type', () => {
    expect(shopColumns('select id as x from main.orders union select total from main.orders')).toBe(
      'x bigint',
    )
    expect(shopText('select id from main.orders union select total from main.orders')).toBe(
      '(select (implicit bigint/function orders1.id) as id from orders1) union (select orders2.total as total from orders2)',
    )
  })

  test.each([
    ['select 1 union select 2.5', 'numeric'],
    ["select 1 union select '2'", 'integer'],
    ['select null union select 1', 'integer'],
    ['select null union select null', 'text'],
    ["select 'a' union select 'b'", 'text'],
    [
      'select email from main.customers union select email from main.customers',
      'character varying(20)',
    ],
    ['select email from main.customers union select name from main.customers', 'character varying'],
    ['select 1 union all select 2 union all select 3.5', 'numeric'],
    ['(select 1, null order by 1 limit 1) union all select 2, 3', 'integer, ?column? integer'],
    ['select 1 union values (2.5)', 'numeric'],
  ])('%s', (sql, type) => {
    expect(shopColumns(sql).replace(/^\S+ /, '')).toBe(type)
  })

  test('give parameters their type', () => {
    expect(shopParameters('select $1 union select id from main.notes')).toBe('bigint')
    expect(shopParameters('select $1 union select $2')).toBe('text, text')
  })

  test.each([
    ['select 1, 2 union select 1', '42601 each UNION query must have the same number of columns'],
    ['select 1 intersect select 1, 2', '42601 each INTERSECT query'],
    ["select 'a'::text union select 1", '42804 UNION types text and integer cannot be matched'],
    ['select null union select null union select 1', '42804'],
    ["select 'x' union select 1", '22P02'],
    ['select data from main.orders except select data from main.orders', '42883'],
  ])('%s', (sql, failure) => {
    expect(shopFailure(sql)).toContain(failure)
  })

  test('need no equality with UNION ALL', () => {
    expect(shopColumns('select data from main.orders union all select null')).toBe('data json')
  })
})

describe('ORDER BY', () => {
  test.each([
    ['a + 1', '0A000 invalid UNION/INTERSECT/EXCEPT ORDER BY clause'],
    ['b', '42703 column "b" does not exist'],
    ['q.a', '42P01'],
    ['2', '42P10'],
  ])('%s is refused', (key, failure) => {
    const sql = `select q.a from (select 1 as a) q union select 2 as b order by ${key}`
    expect(shopFailure(sql)).toContain(failure)
  })
})

test('queries have their own WITH, ORDER BY and LIMIT', () => {
  expect(
    shopText('(with a as (select 1 as n) select n from a order by 1 limit 1) union select 2'),
  ).toBe(
    "(with w1(n) as (select '1':integer as n) select q2.n as n from w1 q2 order by (output 0) limit '1':bigint) union (select '2':integer as ?column?)",
  )
  expect(shopFailure('select 1 union (with a as (select 1) select 2) order by a')).toContain(
    '42703',
  )
})

test('long chains', () => {
  expect(shopColumns(`select 1${' union all select 2.5 union select 1'.repeat(200)}`)).toBe(
    '?column? numeric',
  )
})
