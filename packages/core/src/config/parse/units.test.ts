import { expect, test } from 'vitest'
import { parseDuration, parseSize } from './units.ts'

test.each([
  ['1mb', 1_048_576],
  ['512kb', 524_288],
  ['512 KB', 524_288],
  ['0b', 0],
  ['2gb', 2_147_483_648],
])('%j is a size', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each(['', '1', 'mb', '-1mb', '1.5mb', '1 mb b', '1tb', '1constructor', '999999999999gb'])(
  '%j is no size',
  (text) => {
    expect(parseSize(text)).toBeUndefined()
  },
)

test('durations are milliseconds', () => {
  expect(parseDuration('90d')).toBe(7_776_000_000)
  expect(parseDuration('500ms')).toBe(500)
  expect(parseDuration('1h30m')).toBeUndefined()
})
