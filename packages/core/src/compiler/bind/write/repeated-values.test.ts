/** @module Rows that follow from the rows of their shapes mean what they mean when each is bound. */
import { describe, expect, test } from 'vitest'
import { parseStatement } from '../../sql/parse.ts'
import { oids } from '../../sql-types/oids.ts'
import { bindStatement } from '../bind.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import { bindShop, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'
import { printStatementForTest } from '../test-support/print-statement-for-test.ts'
import { shopCatalog } from '../test-support/shop-for-test.ts'
import type { InsertWrite } from '../tree/bound-query.ts'

/** The text with `count` rows like `row`, which has the parameters `$1 ...`. */
function many(row: string, count = 25): string {
  const width = new Set(row.match(/\$\d+/g)).size
  return Array.from({ length: count }, (_, i) =>
    row.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + i * width}`),
  ).join(', ')
}

/** A comment keeps the rows from being folded. */
const unfolded = (sql: string) => sql.replace('values (', 'values (/* */')

function kindOf(sql: string): string {
  return (bindShop(sql).body as InsertWrite).source.kind
}

describe('the same as each row bound by itself', () => {
  test.each([
    `insert into main.notes (body, id, day) values ${many('($1, $2, $3)')}`,
    `insert into main.notes (body, id, day) values ${many('($1, $2, default)')} returning *`,
    `insert into main.notes (body, id) values ${many("('x', $1)")}, ($26, $27), ($28, $29)`,
    `insert into main.notes (id, body) values ${many("($1, '5'::text)")}`,
    `insert into main.notes (id, body) values ${many('($1::int, $2::date)')}`,
    `insert into main.customers (id, email) values ${many('($1, $2)')}`,
    `insert into main.customers (id, name) values ${many('($1, $2)')} on conflict (id) do update set name = excluded.name || $51`,
    `with w as (select $53::text as x) insert into main.notes (id, body) values ${many('($1, $2)')} returning $51::int, $52::text`,
    `insert into main.customers (id) values ${many('($1)')} returning $24::text`,
  ])('%s', (sql) => {
    expect(kindOf(sql)).toBe('repeated')
    expect(kindOf(unfolded(sql))).toBe('values')
    expect(shopText(sql)).toBe(shopText(unfolded(sql)))
    expect(bindShop(sql).parameterTypes).toEqual(bindShop(unfolded(sql)).parameterTypes)
  })

  test.each([
    `insert into main.customers (id, name) values ${many('($1)')}`,
    `insert into main.customers (id, nope) values ${many('($1, $2)')}`,
    `insert into main.customers (id, name) values ${many('($1, $2)')}, ($51)`,
    `insert into main.customers (id, name) values ${many("($1, 'x'::int)")}`,
    `insert into main.machine (id, doubled) values ${many('($1, $2)')}`,
  ])('so are its errors: %s', (sql) => {
    const wordsOf = (text: string) => shopFailure(text).replace(/ \(position \d+\)$/, '')
    expect(wordsOf(sql)).toBe(wordsOf(unfolded(sql)))
  })
})

describe('rows are bound one by one', () => {
  const catalog = shopCatalog('main')
  const bind = (sql: string, declared: readonly number[]) =>
    bindStatement(parseStatement(sql), {
      catalog,
      view: fullAccessView,
      parameterCount: undefined,
      declared,
    })

  test('where the client declares other types for some of them', () => {
    const sql = `insert into main.notes (id, body) values ${many('($1, $2)')}`
    const odd = bind(sql, [oids.int8, 0, oids.int4])
    expect((odd.body as InsertWrite).source.kind).toBe('values')
    expect(printStatementForTest(odd)).toContain('$3:integer')
    const even = bind(
      sql,
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? oids.int4 : oids.text)),
    )
    expect((even.body as InsertWrite).source.kind).toBe('repeated')
    expect(printStatementForTest(even)).toBe(
      printStatementForTest(
        bind(
          unfolded(sql),
          even.parameterTypes.map(({ oid }) => oid),
        ),
      ),
    )
  })

  test('where a WITH query has decided a type', () => {
    const sql = `with w as (select $3::text as x) insert into main.notes (id, body) values ${many('($1, $2)')}`
    expect(() => bind(sql, [])).toThrow(/of type bigint but expression is of type text/)
  })
})

describe('rows of a query are not repeated', () => {
  test.each([
    `insert into main.customers (id) values ${many('($1::int)')} order by 1`,
    `insert into main.customers (id) values ${many('($1::int)')} limit 24`,
    `insert into main.customers (id) values ${many('($1::int)')} offset 2`,
    `insert into main.customers (id) with w as (select 1 as x) values ${many('($1::int)')}`,
    `insert into main.customers (id) (values ${many('($1::int)')} limit 24)`,
  ])('%s', (sql) => {
    expect(kindOf(sql)).toBe('query')
    expect(shopText(sql)).toBe(shopText(unfolded(sql)))
  })
})
