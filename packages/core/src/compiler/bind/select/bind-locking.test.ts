import { describe, expect, test } from 'vitest'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('locks', () => {
  test.each([
    ['main.notes for update', 'lock update 1 block'],
    ['main.notes for share nowait', 'lock share 1 error'],
    ['main.notes for no key update skip locked', 'lock noKeyUpdate 1 skip'],
    ['main.notes for key share', 'lock keyShare 1 block'],
    ['main.notes, main.orders for update', 'lock update 1,2 block'],
    ['main.notes, main.orders o for update of o', 'lock update 2 block'],
    [
      'main.notes n, main.orders o for update of n for share of o skip locked',
      'lock update 1 block lock share 2 skip',
    ],
    ['main.notes n left join main.orders o on true for update of n', 'lock update 1 block'],
    ['main.notes, generate_series(1, 2) for update', 'lock update 1 block'],
  ])('%s', (from, locks) => {
    const text = shopText(`select 1 from ${from}`)
    expect(text.slice(text.indexOf(' lock ') + 1)).toBe(locks)
  })
})

describe('refused', () => {
  test.each([
    ['select distinct id from main.notes for update', 'DISTINCT clause'],
    ['select day from main.notes group by day for update', 'GROUP BY clause'],
    ['select 1 from main.notes having true for update', 'HAVING clause'],
    ['select count(*) from main.notes for update', 'aggregate functions'],
    ['select row_number() over () from main.notes for update', 'window functions'],
    ['select 1 from (select 1 + rank() over () from main.notes) q for update', 'window functions'],
    ['select generate_series(1, 2) from main.notes for update', 'set-returning functions'],
    ['select 1 from (select generate_series(1, 2)) q for update', 'set-returning functions'],
    ['select 1 from main.notes union select 2 for update', 'UNION/INTERSECT/EXCEPT'],
    ['(select 1 from main.notes for update) union select 2', 'UNION/INTERSECT/EXCEPT'],
    ['values (1) for update', 'VALUES'],
    ['select 1 from (select distinct id from main.notes) q for update', 'DISTINCT clause'],
    ['select 1 from (select 1 union select 2) q for update', 'UNION/INTERSECT/EXCEPT'],
    ['with a as (select 1) select * from a for update of a', 'a WITH query'],
    ['select 1 from generate_series(1, 2) g for update of g', 'a function'],
    ['select 1 from (main.notes join main.orders on true) j for update of j', 'a join'],
    ['select 1 from main.notes n left join main.orders o on true for update', 'nullable side'],
    [
      'select 1 from main.notes n right join main.orders o on true for update of n',
      'nullable side',
    ],
  ])('%s', (sql, construct) => {
    expect(shopFailure(sql)).toMatch(/^0A000 FOR UPDATE/)
    expect(shopFailure(sql)).toContain(construct)
  })

  test('names that are none of FROM', () => {
    expect(shopFailure('select 1 from main.notes n for update of notes')).toContain(
      '42P01 relation "notes" in FOR UPDATE clause not found in FROM clause',
    )
    expect(shopFailure('select 1 from main.notes for update of main.notes')).toContain('42601')
  })
})
