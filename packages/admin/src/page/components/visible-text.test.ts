import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortText, visibleText } from './visible-text.ts'

test.each([
  ['invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
  ['a\u0000b', 'a\\u0000b'],
  ['ze\u200bro', 'ze\\u200bro'],
  ['\ud800', '\\ud800'],
  ['line\nnext\ttab', 'line\nnext\ttab'],
  ['Zürich 東京 🚀', 'Zürich 東京 🚀'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('no text keeps a mark of direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visibleText(text)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test('a long text is cut, and stays on one line', () => {
  expect(shortText('a\n b'.repeat(100), 5)).toBe('a ba…')
})
