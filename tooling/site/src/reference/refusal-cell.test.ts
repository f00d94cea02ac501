import { expect, test } from 'vitest'
import { refusalCell } from './refusal-cell.ts'

test.each([
  ['a time zone other than UTC', 'no: a time zone other than UTC'],
  ['the function acosd(float8)', 'no'],
  ['the ordered-set aggregate mode', 'no'],
  ['this use of integers (interval_age)', 'no: not built in'],
  ['MERGE', 'no'],
])('%s', (reason, cell) => {
  expect(refusalCell(reason, '`MERGE`')).toBe(cell)
})
