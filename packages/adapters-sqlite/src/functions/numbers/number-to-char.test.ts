import { expect, test } from 'vitest'
import type { SqliteValue } from '../register/scalar.ts'
import { numberToCharFunctions } from './number-to-char.ts'

function shown(value: SqliteValue, template: string): SqliteValue | undefined {
  const name = typeof value === 'number' ? 'float_to_char' : 'decimal_to_char'
  return numberToCharFunctions[name]?.call(value, template)
}

// The results of PostgreSQL 15.
test.each([
  ['1234567.891', 'FM9,999,999.00', '1,234,567.89'],
  ['-12.5', '$999.99', '$ -12.50'],
  ['0.5', '9.99', '  .50'],
  ['0.5', 'FM9.99', '.5'],
  ['0.5', 'FM90.00', '0.50'],
  ['-0.1', '99.99', '  -.10'],
  ['12', '9990999.9', '    0012.0'],
  ['12', 'FM9990999.9', '0012.'],
  ['12.345', '9.9', ' #.#'],
  [100n, '99', ' ##'],
  [0n, '999', '   0'],
  [485n, '9 9 9', ' 4 8 5'],
  [7n, 'FM000', '007'],
  ['148.5', 'FM999.990', '148.500'],
  ['3148.5', '9G999D999', ' 3,148.500'],
  [485n, '"No. "999', 'No.  485'],
  [0.5, '9', ' 0'],
  [1.5, '9', ' 2'],
  [-0.05, 'FM9.9', '-.1'],
  [-0, '0.0', '-0.0'],
  [123_456_789.123_456_78, '999999999.99999999', ' 123456789.123457'],
  [null, '9', null],
])('%s as %s', (value, template, text) => {
  expect(shown(value, template)).toBe(text)
})

test.each(['RN', '9.9EEEE', 'S9', '9MI', '9PR', 'L9', '9th', '99.', '.99', '9.9.9', '9x'])(
  'the template %s is refused',
  (template) => {
    expect(() => shown('1', template)).toThrow('is not supported')
  },
)

test('NaN and the infinities are refused', () => {
  expect(() => shown('NaN', '9')).toThrow('is not supported')
  expect(() => shown(Number.POSITIVE_INFINITY, '9')).toThrow('is not supported')
})
