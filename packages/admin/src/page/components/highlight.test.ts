import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokensOf } from './highlight.ts'

test('the parts of a statement', () => {
  expect(tokensOf(`select "a" from t where b = 'x''y' -- end`, 'sql')).toEqual([
    { kind: 'keyword', text: 'select' },
    { kind: 'plain', text: ' ' },
    { kind: 'name', text: '"a"' },
    { kind: 'plain', text: ' ' },
    { kind: 'keyword', text: 'from' },
    { kind: 'plain', text: ' t ' },
    { kind: 'keyword', text: 'where' },
    { kind: 'plain', text: ' b = ' },
    { kind: 'string', text: `'x''y'` },
    { kind: 'plain', text: ' ' },
    { kind: 'comment', text: '-- end' },
  ])
})

test('keys and values of JSON differ', () => {
  expect(tokensOf('{"a": "b"}', 'json').map(({ kind }) => kind)).toEqual([
    'plain',
    'name',
    'plain',
    'string',
    'plain',
  ])
})

test('nothing of a text is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('sql', 'json'), (text, language) => {
      expect(
        tokensOf(text, language)
          .map((token) => token.text)
          .join(''),
      ).toBe(text)
    }),
  )
})
