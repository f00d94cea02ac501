import { expect, test } from 'vitest'
import { canonicalText, compareRows } from './compare-rows.ts'

test('equal rows have no difference', () => {
  expect(compareRows([[1, 'a', null, true]], [[1, 'a', null, true]], true)).toBeUndefined()
})

test('the order counts only where it is asked for', () => {
  const rows = [[1], [2], [2]]
  expect(compareRows(rows, [[2], [1], [2]], false)).toBeUndefined()
  expect(compareRows(rows, [[2], [1], [2]], true)).toBe(
    'row 0, column 0: 1 expected, 2 received (the same rows in another order)',
  )
})

test('a multiset counts its duplicates', () => {
  expect(compareRows([[1], [1], [2]], [[1], [2], [2]], false)).toBe(
    'row [1] is missing; unexpected: [2]',
  )
})

test('missing and extra rows are named', () => {
  expect(compareRows([[1], [2]], [[1]], true)).toContain('2 rows expected, 1 received')
  expect(compareRows([[1]], [[1], [3]], true)).toContain('unexpected: [3]')
})

test('missing and extra columns are named', () => {
  expect(compareRows([[1, 2]], [[1]], true)).toContain('2 columns expected, 1 received')
})

test.each([
  [1, '1'],
  ['1', 1],
  ['1.50', '1.5'],
  [true, 1],
  [null, ''],
  [null, 0],
  ['a', 'a '],
  [[1], '[1]'],
  [{ a: 1 }, '{"a":1}'],
  [{ a: 1 }, { a: 1, b: null }],
])('%j differs from %j', (expected, actual) => {
  expect(compareRows([[expected]], [[actual]], true)).toContain('column 0')
})

test('nested numbers compare as numbers and keys in any order', () => {
  const actual: unknown = JSON.parse('[[{"b":[1.50,null],"a":1e2}]]')
  expect(compareRows([[{ a: 100, b: [1.5, null] }]], actual, true)).toBeUndefined()
})

test('something that is not rows is a difference', () => {
  expect(compareRows([], undefined, true)).toContain('not an array of arrays')
  expect(compareRows([], [{ id: 1 }], true)).toContain('not an array of arrays')
  expect(compareRows([[1]], null, false)).toContain('not an array of arrays')
})

test('a canonical text keeps lists in order and sorts keys', () => {
  expect(canonicalText({ b: [2, 1], a: 'x' })).toBe('{"a":"x","b":[2,1]}')
})
