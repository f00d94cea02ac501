import { describe, expect, test } from 'vitest'
import { shopColumns, shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

describe('the columns of a function in FROM', () => {
  test.each([
    ['select * from generate_series(1, 2)', 'generate_series integer'],
    ['select * from generate_series(1, 2) g', 'g integer'],
    ['select g.n, n, g from generate_series(1, 2) as g(n)', 'n integer, n integer, g integer'],
    [
      'select * from generate_series(1, 2) with ordinality',
      'generate_series integer, ordinality bigint',
    ],
    ['select * from generate_series(1, 2) with ordinality as g(a, b)', 'a integer, b bigint'],
    ["select * from jsonb_each('{}')", 'key text, value jsonb'],
    ["select * from jsonb_each('{}') as e(k)", 'k text, value jsonb'],
    ["select * from jsonb_array_elements_text('[]') e", 'value text'],
    ["select e from jsonb_array_elements_text('[]') e", 'e text'],
    ['select * from unnest(array[1.5])', 'unnest numeric'],
    ["select * from lower('A') l", 'l text'],
    ['select * from coalesce(1, 2)', 'coalesce integer'],
  ])('%s', (sql, columns) => {
    expect(shopColumns(sql)).toBe(columns)
  })

  test('cannot be renamed beyond their number', () => {
    expect(shopFailure('select 1 from generate_series(1, 2) as g(a, b)')).toContain('42P10')
  })
})

test('its arguments see the items before it', () => {
  expect(shopText('select u, p.id from main.products p, unnest(p.tags) u')).toBe(
    'select q2.u as u, products1.id as id from products1, (unnest(anyarray) products1.tags) q2',
  )
  expect(shopFailure('select 1 from unnest(p.tags) u, main.products p')).toContain('42P01')
  expect(
    shopFailure('select 1 from main.products p right join unnest(p.tags) u on true'),
  ).toContain('42P10')
})

test('a scalar is no row', () => {
  expect(shopFailure('select to_json(g.*) from generate_series(1, 2) g')).toContain('whole row')
})

test('aggregates, windows and unknown functions are refused', () => {
  expect(shopFailure('select 1 from count(*)')).toContain('42803')
  expect(shopFailure('select 1 from nope(1)')).toContain('42883')
  expect(shopFailure("select 1 from json_to_record('{}')")).toMatch(/^(42601|42883)/)
})
