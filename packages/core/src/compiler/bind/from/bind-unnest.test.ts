import { expect, test } from 'vitest'
import {
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

test('arrays stand side by side', () => {
  const sql = 'select a, b, i from unnest($1::int[], $2::text[]) with ordinality as u(a, b, i)'
  expect(shopText(sql)).toBe(
    'select q3.unnest as a, q3.unnest as b, q3.ordinality as i from (select q1.unnest as unnest, q2.unnest as unnest, (coalesce q1.ordinality q2.ordinality) as ordinality from ((unnest(anyarray) $1:integer[]) with ordinality q1 full join (unnest(anyarray) $2:text[]) with ordinality q2 on (=(int8,int8) q1.ordinality q2.ordinality)) order by (coalesce q1.ordinality q2.ordinality)) q3',
  )
  expect(shopParameters('select 1 from unnest($1::int[], $2::text[], $3::bool[])')).toBe(
    'integer[], text[], boolean[]',
  )
})

test('their columns are called unnest', () => {
  expect(shopColumns('select * from unnest(array[1], array[true]) u')).toBe(
    'unnest integer, unnest boolean',
  )
  expect(shopColumns('select u.x, u.* from unnest(array[1], array[true]) u(x)')).toBe(
    'x integer, x integer, unnest boolean',
  )
})

test('arrays of other FROM items are refused', () => {
  expect(shopFailure('select 1 from main.products p, unnest(p.tags, p.tags) u')).toContain('0A000')
})

test('ROWS FROM puts any functions side by side', () => {
  const rows = "rows from (generate_series(1, 2), jsonb_array_elements('[]'))"
  expect(shopColumns(`select * from ${rows} with ordinality`)).toBe(
    'generate_series integer, value jsonb, ordinality bigint',
  )
  expect(shopColumns(`select r.b, r.* from ${rows} as r(a, b)`)).toBe('b jsonb, a integer, b jsonb')
  expect(shopColumns('select * from rows from (generate_series(1, 2))')).toBe(
    'generate_series integer',
  )
  expect(shopText('select 1 from rows from (unnest($1::int[], $2::text[]), lower($3))')).toContain(
    'full join',
  )
  expect(
    shopFailure("select 1 from rows from (jsonb_each('{}'), generate_series(1, 2))"),
  ).toContain('0A000')
})

test('arrays only', () => {
  expect(shopFailure('select 1 from unnest(array[1], 2) u')).toContain('42883')
  expect(shopFailure('select 1 from unnest(array[1], array[2]) u(a, b, c)')).toContain('42P10')
})
