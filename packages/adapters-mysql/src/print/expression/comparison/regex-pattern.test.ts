import { GatewayError } from '@engine/core/adapter'
import { expect, test } from 'vitest'
import { similarPattern, translateRegex, withBackslashes } from './regex-pattern.ts'

test.each([
  ['abc', 'abc'],
  ['^a.c$', '^a.c\\z'],
  ['[a-c]+', '[a-c]+'],
  ['[$]', '[$]'],
  ['a\\.b', 'a\\.b'],
  ['\\d', '[0-9]'],
  ['[[:digit:]x]', '[0-9x]'],
  ['[]a]', '[\\]a]'],
  ['(?:a|b){2}', '(?:a|b){2}'],
])('%s becomes %s', (pattern, translated) => {
  expect(translateRegex(pattern)).toBe(translated)
})

test.each([
  ['a{2,3}', 'a{2,3}'],
  ['{a}', '\\{a\\}'],
  ['😀+', '😀+'],
])('%s becomes %s: braces without a number are characters', (pattern, translated) => {
  expect(translateRegex(pattern)).toBe(translated)
})

test.each([
  ['straße', '[sS][tT][rR][aA]ß[eE]'],
  ['[a-cX]', '[a-cA-CXx]'],
  ['[^_-z]', '[^_-zA-Z]'],
  ['[[:upper:]]\\d', '[\\p{L}][0-9]'],
  ['É{2}', '[Éé]{2}'],
])('%s in any case is %s for ICU', (pattern, translated) => {
  expect(translateRegex(pattern, { engine: 'icu', inAnyCase: true })).toBe(translated)
})

test('a range beyond ASCII in any case has no form for ICU', () => {
  expect(translateRegex('[à-ü]', { engine: 'icu', inAnyCase: true })).toBeUndefined()
})

test.each(['(?=a)', '(?i)a', '\\mword', '(a)\\1', '***=a', 'a*?b+', 'a++', '[[.a.]]', '\\yx'])(
  '%s has no common meaning',
  (pattern) => {
    expect(translateRegex(pattern)).toBeUndefined()
  },
)

test.each(['(a', '[a', 'a{2,1}'])('%s is invalid', (pattern) => {
  expect(() => translateRegex(pattern)).toThrow(GatewayError)
})

test('an escape of the client becomes the backslash', () => {
  expect(withBackslashes('a!%b!!%', '!')).toBe('a\\%b\\!%')
  expect(withBackslashes('a\\b%', '')).toBe('a\\\\b%')
  expect(withBackslashes('a\\%', '\\')).toBe('a\\%')
  expect(() => withBackslashes('a', '!!')).toThrow(GatewayError)
})

test('SIMILAR TO matches the whole text', () => {
  expect(similarPattern('(a|b)%_', '\\')).toBe('^(?:(?:a|b).*.)$')
  expect(similarPattern('a.b\\%', '\\')).toBe('^(?:a\\.b\\%)$')
})
