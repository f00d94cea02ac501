import { expect, test } from 'vitest'
import { claimAt, identifierOf } from './identifier.ts'

test.each<[string, string | undefined]>([
  ['"2"', '2'],
  ['2', '2'],
  ['2.0', '2'],
  ['2e0', '2'],
  ['20e-1', '2'],
  ['-2', '-2'],
  ['0', '0'],
  ['-0', '0'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740993', undefined],
  ['"9007199254740993"', '9007199254740993'],
  ['2.5', undefined],
  ['1e308', undefined],
  ['1e999', undefined],
  ['"02"', '02'],
  ['" 2"', ' 2'],
  ['""', undefined],
  ['"a\\u0000b"', undefined],
  ['"\\ud800"', undefined],
  ['true', undefined],
  ['null', undefined],
  ['["2"]', undefined],
  ['{"id":2}', undefined],
])('the claim %s identifies the user %s', (json, text) => {
  expect(identifierOf(JSON.parse(json))).toBe(text)
})

test('a claim is found by its name, or by a path', () => {
  const claims = { 'a.b': 1, a: { b: 2, c: 3 }, n: null }
  expect(claimAt(claims, 'a.b')).toBe(1)
  expect(claimAt(claims, 'a.c')).toBe(3)
  expect(claimAt(claims, 'n')).toBeNull()
  for (const field of ['a.d', 'constructor', 'a.constructor.name', '__proto__']) {
    expect(claimAt(claims, field)).toBeUndefined()
  }
})
