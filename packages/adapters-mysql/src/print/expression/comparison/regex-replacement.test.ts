import { expect, test } from 'vitest'
import { countGroups, icuLiteral, icuReplacement } from './regex-replacement.ts'

test.each([
  ['\\2 \\1', 2, '$2 $1'],
  ['<\\&>', 0, '<$0>'],
  ['\\12', 1, '$1\\2'],
  ['\\1\\2', 1, '$1'],
  ['$1', 1, '\\$\\1'],
  ['a\\\\b', 0, 'a\\\\b'],
  ['\\x\\', 0, '\\\\x\\\\'],
])('%s of %i groups becomes %s', (replacement, groups, icu) => {
  expect(icuReplacement(replacement, groups)).toBe(icu)
})

test('the groups of an empty match are empty', () => {
  expect(icuLiteral('<\\1\\&\\\\$1>')).toBe('<\\$1>')
})

test.each([
  ['(a)(?:b)((c))', 3],
  ['\\(a[(](b)[]()]', 1],
  ['[[:alpha:](](b)', 1],
])('%s has %i groups', (pattern, groups) => {
  expect(countGroups(pattern)).toBe(groups)
})
