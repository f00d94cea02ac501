import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commentText, keyName, literal, memberAccess, propertyName } from './literal.ts'

const anyText = fc.oneof(
  fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({
    unit: fc.constantFrom(
      '\\',
      "'",
      '"',
      '`',
      '$',
      '{',
      '\n',
      '\r',
      '*',
      '/',
      '\u2028',
      '\u202e',
      '\ud800',
    ),
  }),
)

test('a literal is the text, whatever it holds', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const spelled = literal(text)
      expect(runInNewContext(spelled)).toBe(text)
      expect(spelled).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('a comment ends where it was to end', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(runInNewContext(`/** ${commentText(text)} */ 1`)).toBe(1)
      expect(commentText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('a key of an object literal is a key of its own', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'a', '1')),
      (text) => {
        const object: object = runInNewContext(`({ ${keyName(text)}: 1 })`)
        expect(Object.keys(object)).toEqual([text])
        expect(runInNewContext(`object${memberAccess(text)}`, { object })).toBe(1)
      },
    ),
  )
})

test.each([
  ['name', 'name'],
  ['$1', '$1'],
  ['a b', "'a b'"],
  ['1a', "'1a'"],
  ['', "''"],
  ["it's", "'it\\'s'"],
  ['é', "'é'"],
])('the key %j is written %s', (name, written) => {
  expect(propertyName(name)).toBe(written)
})
