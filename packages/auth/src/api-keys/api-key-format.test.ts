import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apiKeyDigest, createApiKeyText, parseApiKey } from './api-key-format.ts'

test('a key has its id, a secret and a checksum, and no other is like it', () => {
  const keys = Array.from({ length: 200 }, createApiKeyText)
  for (const { id, text } of keys) {
    expect(text).toMatch(/^ek_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(parseApiKey(text)).toEqual({ id, text })
  }
  expect(new Set(keys.map(({ id }) => id)).size).toBe(200)
  expect(new Set(keys.map((key) => apiKeyDigest(key))).size).toBe(200)
})

test('a changed, shortened or lengthened key is none', () => {
  const { text } = createApiKeyText()
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0Az_ '), (at, digit) => {
      fc.pre(text[at] !== digit)
      expect(parseApiKey(text.slice(0, at) + digit + text.slice(at + 1))).toBeUndefined()
      expect(parseApiKey(text.slice(0, at))).toBeUndefined()
    }),
  )
  for (const other of ['', 'ek_', `${text}0`, ` ${text}`, `${text}\n`, text.toUpperCase()]) {
    expect(parseApiKey(other)).toBeUndefined()
  }
})
