import { expect, test } from 'vitest'
import type { SqliteValue } from './register/scalar.ts'
import { seriesFunctions } from './series.ts'

function length(name: string, ...args: readonly SqliteValue[]): number {
  let count = 0
  for (const _ of seriesFunctions[name]?.rows(...args) ?? []) count += 1
  return count
}

const tooLong: readonly (readonly [name: string, args: readonly SqliteValue[]])[] = [
  ['integer_series', [1n, 1_000_001n, 1n, 64n]],
  ['integer_series', [1n, -2_000_000n, -1n, 32n]],
  ['decimal_series', ['0', '1', '0.0000009']],
  ['decimal_series', [2_000_000n, 0.5, '-1']],
  ['moment_series', ['2020-01-01 00:00:00', '2021-01-01 00:00:00', '00:00:01']],
  ['moment_series', ['2021-01-01 00:00:00+00', '2020-01-01 00:00:00+00', '-00:00:01']],
]

test.each(tooLong)('a series that is too long has not one row: %s %s', (name, args) => {
  const rows = seriesFunctions[name]?.rows(...args)[Symbol.iterator]()
  expect(() => rows?.next()).toThrow(expect.objectContaining({ code: 'E54000' }))
})

test('a series goes as far as it should', () => {
  expect(length('integer_series', 10n, 1n, -4n, 32n)).toBe(3)
  expect(length('decimal_series', '0.5', '2', '0.5')).toBe(4)
  expect(length('moment_series', '2024-01-31 00:00:00', '2024-05-31 00:00:00', '1 mon')).toBe(5)
  expect(length('moment_series', '2024-01-02 00:00:00', '2024-01-01 00:00:00', '1 day')).toBe(0)
})
