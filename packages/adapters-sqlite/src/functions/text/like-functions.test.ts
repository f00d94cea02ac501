import fc from 'fast-check'
import { expect, test } from 'vitest'
import { likeFunctions } from './like-functions.ts'

const letters = fc.constantFrom('a', 'b', '%', '_', '\\', '*', '?', '[', ']', 'é', '😀')
const texts = fc.string({ unit: letters, maxLength: 8 })

const call = (name: string, ...args: readonly string[]) => likeFunctions[name]?.call(...args)

/** The meaning of LIKE as a regular expression. */
function reference(pattern: string): RegExp | undefined {
  let source = ''
  const characters = Array.from(pattern)
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (character === '\\') {
      index += 1
      const literal = characters[index]
      if (literal === undefined) return undefined
      source += `\\u{${(literal.codePointAt(0) ?? 0).toString(16)}}`
    } else if (character === '%') source += '.*'
    else if (character === '_') source += '.'
    else source += `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  }
  return new RegExp(`^${source}$`, 'su')
}

test('a text that matches lies between the bounds', () => {
  fc.assert(
    fc.property(texts, texts, (text, pattern) => {
      const expression = reference(pattern)
      if (expression?.test(text) !== true) return
      const [low, high] = [call('like_low', pattern, '\\'), call('like_high', pattern, '\\')]
      const bytes = Buffer.from(text)
      expect(Buffer.compare(bytes, Buffer.from(String(low)))).toBeGreaterThanOrEqual(0)
      // Bytes are above every text.
      if (typeof high === 'string') {
        expect(Buffer.compare(bytes, Buffer.from(high))).toBeLessThan(0)
      }
    }),
  )
})

test.each([
  ['a%b_', 'a*b?'],
  ['100\\%', '100%'],
  ['a*b?[', 'a[*]b[?][[]'],
  ['\\_x', '_x'],
])('%j becomes the GLOB %j', (pattern, glob) => {
  expect(call('like_glob', pattern, '\\')).toBe(glob)
})

test('a pattern that ends with its escape is an error', () => {
  expect(() => call('like_glob', 'abc\\', '\\')).toThrow(
    expect.objectContaining({ code: 'E22025' }),
  )
})

test('another escape becomes the backslash', () => {
  expect(call('like_escape', 'a!%b%\\', '!')).toBe('a\\%b%\\\\')
})

test('SIMILAR TO becomes an anchored regular expression', () => {
  expect(call('similar_pattern', 'a(b|x)%_.')).toBe('^(?:a(?:b|x).*.\\.)$')
})
