import { expect, test } from 'vitest'
import { keptName, quoteName, quoteText } from './sql-text.ts'

test('quotes are doubled, NUL is dropped', () => {
  expect(quoteName('a "b" \0 c')).toBe('"a ""b""  c"')
  expect(quoteText(`it's \\ \0`)).toBe(`'it''s \\ '`)
})

test('names are cut at 63 bytes, never inside a character', () => {
  expect(keptName('a'.repeat(64))).toBe('a'.repeat(63))
  expect(keptName('é'.repeat(40))).toBe('é'.repeat(31))
  expect(keptName(`${'a'.repeat(61)}🎈`)).toBe('a'.repeat(61))
  expect(keptName('short')).toBe('short')
})
