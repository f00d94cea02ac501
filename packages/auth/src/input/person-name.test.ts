import { expect, test } from 'vitest'
import { checkName } from './person-name.ts'

test('a name has at most 200 code points', () => {
  expect(checkName('👩'.repeat(200))).toBe('👩'.repeat(200))
  expect(() => checkName('a'.repeat(201))).toThrow(expect.objectContaining({ status: 400 }))
})

test.each(['a\nb', 'a\u007f', '\u0085', '\u2028', '\u001b[31m'])('%j is no name', (name) => {
  expect(() => checkName(name)).toThrow(expect.objectContaining({ status: 400 }))
})

test.each(['', 'Ada Lovelace', "O'Hara", '<b>Bob</b>', 'محمد', 'ada\u200dx'])(
  '%j is a name',
  (name) => {
    expect(checkName(name)).toBe(name)
  },
)
