import { describe, expect, test } from 'vitest'
import { bindShop, shopColumns, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('a WITH query is visible', () => {
  test('to subqueries of every kind', () => {
    const uses = [
      'select (select n from a)',
      'select 1 from main.notes where id in (select n from a)',
      'select * from (select * from a) q',
      'select * from main.notes o, lateral (select * from a where n = o.id) q',
      'select * from main.notes o join a on a.n = o.id',
      'select 1 union select n from a',
      'update main.notes set id = n from a',
      'delete from main.notes using a where id = n',
      'insert into main.notes (id) select n from a',
      'insert into main.notes (id) values ((select n from a)) returning (select n from a)',
    ]
    for (const use of uses) expect(bindShop(`with a as (select 1 as n) ${use}`)).toBeDefined()
  })

  test('neither to itself nor to earlier ones: those mean the table', () => {
    expect(shopText('with notes as (select id from notes) select * from notes')).toBe(
      'with w1(id) as (select notes2.id as id from notes2) select q3.id as id from w1 q3',
    )
    expect(
      shopText('with b as (select body from notes), notes as (select 1) select body from b'),
    ).toContain('(select notes2.body as body from notes2)')
    expect(shopFailure('with b as (select * from a), a as (select 1) select 1')).toContain('42P01')
  })

  test('never as a table of a connection', () => {
    expect(shopText('with notes as (select 1 as id) select id from main.notes')).toContain(
      'select notes',
    )
    expect(shopFailure('with a as (select 1) select 1 from main.a')).toContain('42P01')
  })

  test('until an inner one takes the name', () => {
    expect(
      shopText(
        'with a as (select 1 as n) select * from (with a as (select 2 as m) select m from a) q, a',
      ),
    ).toBe(
      "with w1(n) as (select '1':integer as n) select q4.m as m, q5.n as n from (with w2(m) as (select '2':integer as m) select q3.m as m from w2 q3) q4, w1 q5",
    )
    expect(
      shopColumns(
        "with a as (select 1 as n), b as (with a as (select 'x' as n from a) select n from a) select * from b, a",
      ),
    ).toBe('n text, n integer')
  })

  test('not outside of its query', () => {
    expect(shopFailure('select * from (with a as (select 1) select * from a) q, a')).toContain(
      '42P01',
    )
  })
})

describe('a WITH query', () => {
  test('may rename its columns and be materialized', () => {
    expect(
      shopText(
        'with a(x) as materialized (select 1 as n, 2 as m), b as not materialized (select 1) select x, m from a',
      ),
    ).toBe(
      "with w1(x, m) as materialized (select '1':integer as n, '2':integer as m), w2(?column?) as inline (select '1':integer as ?column?) select q3.x as x, q3.m as m from w1 q3",
    )
    expect(shopFailure('with a(x, y) as (select 1) select 1')).toContain('42P10')
  })

  test('has text where nothing gives a type', () => {
    expect(shopColumns("with a as (select null as x, 'y' as y) select * from a")).toBe(
      'x text, y text',
    )
  })

  test('has a name of its own', () => {
    expect(shopFailure('with a as (select 1), a as (select 2) select 1')).toContain('42712')
  })

  test('that nobody uses must make sense too', () => {
    expect(shopFailure('with a as (select nope from main.notes) select 1')).toContain('42703')
  })
})

describe('a WITH query that writes', () => {
  test('stands on the top level', () => {
    const write = 'with a as (delete from main.notes returning id)'
    for (const sql of [
      `select * from (${write} select * from a) q`,
      `select (${write} select id from a)`,
      `with b as (${write} select * from a) select * from b`,
      `with b as (${write} delete from main.orders returning id) select * from b`,
      `insert into main.notes (id) ${write} select id from a`,
      `(${write} select id from a) union select 1`,
    ]) {
      expect(shopFailure(sql)).toContain(
        '0A000 WITH clause containing a data-modifying statement must be at the top level',
      )
    }
    expect(bindShop(`${write} insert into main.notes (id) select id from a`)).toBeDefined()
    expect(bindShop(`${write} select id from a union select 1`)).toBeDefined()
  })

  test('without RETURNING has no rows', () => {
    const sql = 'with a as (delete from main.notes) select 1'
    expect(bindShop(sql)).toBeDefined()
    expect(shopFailure(`${sql} from a`)).toContain('does not have a RETURNING clause')
  })
})

describe('WITH RECURSIVE', () => {
  test('makes nothing recursive that is not', () => {
    const { body } = bindShop('with recursive a as (select 1 union select 2) select * from a')
    expect(body.ctes).toMatchObject([{ isRecursive: false }])
  })

  test('binds queries that nobody uses', () => {
    expect(shopFailure('with recursive a as (select nope from main.notes) select 1')).toContain(
      '42703',
    )
  })

  test('may use other queries in either term', () => {
    const sql = `with recursive a as (select 1 as n), b as (select n from a union all
      select b.n + a.n from b, a where b.n < 10) select * from b`
    expect(bindShop(sql).body.ctes.map(({ isRecursive }) => isRecursive)).toEqual([false, true])
  })
})
