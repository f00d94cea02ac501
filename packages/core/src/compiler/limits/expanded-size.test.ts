import { expect, test } from 'vitest'
import { bindShop } from '../bind/test-support/bind-shop-for-test.ts'
import { enforceExpandedSize } from './expanded-size.ts'

/** Nested derived tables, each with `column` over the next inner one. */
function nested(levels: number, column: string): string {
  let sql = `select 'x' as c`
  for (let i = 0; i < levels; i++) sql = `select ${column} as c from (${sql}) q`
  return sql
}

test('doubling through derived tables is refused before it is printed', () => {
  expect(() => enforceExpandedSize(bindShop(nested(10, 'c || c')))).not.toThrow()
  expect(() => enforceExpandedSize(bindShop(nested(28, 'c || c')))).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', problem: 'limitExceeded' }),
  )
})

test('doubling through WITH queries, set operations and subqueries is the same', () => {
  const steps = Array.from({ length: 28 }, (_, i) => `q${i + 1} as (select c || c as c from q${i})`)
  const chain = `with q0 as (select 'x' as c), ${steps.join(', ')} select c from q28`
  const unions = nested(28, '(select c || c)')
  for (const sql of [chain, unions]) {
    expect(() => enforceExpandedSize(bindShop(sql))).toThrow(
      expect.objectContaining({ problem: 'limitExceeded' }),
    )
  }
})

test('a chain that refers once per level is as long as it is', () => {
  expect(() => enforceExpandedSize(bindShop(nested(60, `c || 'y'`)))).not.toThrow()
})

test('recursion ends', () => {
  const sql =
    'with recursive q(n) as (select 1 union all select n + n from q where n < 100) select n from q'
  expect(() => enforceExpandedSize(bindShop(sql))).not.toThrow()
})

test('IN counts its operand as often as PostgreSQL copies it', () => {
  const list = (count: number, item: string) => Array.from({ length: count }, () => item).join(', ')
  const tested = (levels: number, items: string) =>
    nested(levels, 'c || c').replace(
      `select 'x' as c`,
      `select case when c || 'a' || 'b' in (${items}) then c end as c from (select 'x' as c) q`,
    )
  expect(() => enforceExpandedSize(bindShop(tested(7, list(500, 'c'))))).toThrow(
    expect.objectContaining({ problem: 'limitExceeded' }),
  )
  expect(() => enforceExpandedSize(bindShop(tested(7, list(100, `'y'`))))).not.toThrow()
})
