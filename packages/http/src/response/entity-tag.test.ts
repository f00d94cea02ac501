import { expect, test } from 'vitest'
import { entityTag, matchesTag } from './entity-tag.ts'

test('a tag depends on every part and on where it ends', () => {
  expect(entityTag('a', 'b')).toBe(entityTag('a', 'b'))
  expect(entityTag('a', 'b')).not.toBe(entityTag('ab', ''))
  expect(entityTag('a', 'b')).not.toBe(entityTag('a', 'c'))
  expect(entityTag('')).toMatch(/^"[\w-]{43}"$/)
})

test.each([
  [null, false],
  ['', false],
  ['"x"', true],
  ['W/"x"', true],
  ['"y", "x"', true],
  ['"y","x"', true],
  [' * ', true],
  ['"xx"', false],
  ['x', false],
])('If-None-Match %j against "x": %s', (header, isMatch) => {
  expect(matchesTag(header, '"x"')).toBe(isMatch)
})
