import { describe, expect, test } from 'vitest'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

/** The part after GROUP BY in the bound text. */
function groups(groupBy: string, outputs = '1'): string {
  const text = shopText(`select ${outputs} from main.orders group by ${groupBy}`)
  return text.slice(text.indexOf('group by ') + 'group by '.length)
}

describe('an item of GROUP BY is', () => {
  test('an input column before a result column', () => {
    expect(groups('status', 'lower(status) as status')).toBe('orders1.status')
    expect(groups('s', 'lower(status) as s')).toBe('(lower(text) orders1.status)')
    expect(groups('lower', 'lower(status)')).toBe('(lower(text) orders1.status)')
  })

  test('a position', () => {
    expect(groups('2, 1', 'status, id')).toBe('orders1.id, orders1.status')
    expect(shopFailure('select 1 from main.orders group by 2')).toBe(
      '42P10 GROUP BY position 2 is not in select list (position 36)',
    )
    expect(shopFailure("select 1 from main.orders group by 'x'")).toContain('42601')
  })

  test('an expression, once', () => {
    expect(groups('id + 1, lower(status), id + 1')).toBe(
      "(+(int4,int4) orders1.id '1':integer), (lower(text) orders1.status)",
    )
  })

  test('each of a list in parentheses', () => {
    expect(groups('(status, id), total')).toBe('orders1.status, orders1.id, orders1.total')
  })
})

describe('grouping sets', () => {
  test('are refused over one expression under two names, which PostgreSQL keeps apart', () => {
    expect(
      shopFailure('select id as a, id as b from main.orders group by a, rollup (b)'),
    ).toContain('0A000')
    expect(groups('a, b', 'id as a, id as b')).toBe('orders1.id')
    expect(groups('1, rollup (status)', 'id as a, status')).toContain('sets')
  })

  test.each([
    ['rollup (status, id)', 'sets {0,1}{0}{}'],
    ['rollup ((status, id), total)', 'sets {0,1,2}{0,1}{}'],
    ['cube (status, id)', 'sets {0,1}{1}{0}{}'],
    ['cube ((status, id), total)', 'sets {0,1,2}{2}{0,1}{}'],
    ['grouping sets (status, (id, total), ())', 'sets {0}{1,2}{}'],
    ['grouping sets (status, rollup (id, total))', 'sets {0}{1,2}{1}{}'],
    ['status, rollup (id)', 'sets {0,1}{0}'],
    ['rollup (status), rollup (id)', 'sets {0,1}{0}{1}{}'],
    ['rollup (status), rollup (status)', 'sets {0}{0}{0}{}'],
    ['distinct rollup (status), rollup (status)', 'sets {0}{}'],
  ])('%s', (groupBy, sets) => {
    expect(groups(groupBy)).toContain(sets)
  })

  test('GROUPING() names the expressions', () => {
    expect(shopText('select grouping(id, status) from main.orders group by status, id')).toContain(
      '(grouping 1 0)',
    )
    expect(shopFailure('select grouping(id) from main.orders group by status')).toContain('42803')
  })

  test('are limited', () => {
    const rollups = (count: number) => Array(count).fill('rollup (id)').join(', ')
    expect(groups(rollups(12))).toContain('sets')
    expect(shopFailure(`select 1 from main.orders group by ${rollups(13)}`)).toContain(
      '54001 too many grouping sets',
    )
    const cube = `cube (${Array.from({ length: 13 }, (_, i) => `id + ${i}`).join(', ')})`
    expect(shopFailure(`select 1 from main.orders group by ${cube}`)).toContain('54011')
    expect(shopFailure(`select 1 from main.orders group by ${rollups(500)}`)).toContain('54001')
  })
})

test.each([
  ['count(*)', '42803 aggregate functions are not allowed in GROUP BY'],
  ['row_number() over ()', '42P20 window functions are not allowed in GROUP BY'],
  ['data', '42883 could not identify an equality operator for type json'],
  ['nope', '42703 column "nope" does not exist'],
])('group by %s', (groupBy, failure) => {
  expect(shopFailure(`select 1 from main.orders group by ${groupBy}`)).toContain(failure)
})

test('a result column with an aggregate cannot be grouped by', () => {
  expect(shopFailure('select count(*) as n from main.orders group by n')).toContain('42803')
  expect(shopFailure('select count(*) from main.orders group by 1')).toContain('42803')
  expect(shopFailure('select rank() over () as n from main.orders group by n')).toContain('42P20')
})
