import { expect, test } from 'vitest'
import { secretMatcher } from './secret-matcher.ts'

const secret = 'a master key of at least thirty-two bytes'

test('only the secret itself matches', () => {
  const isSecret = secretMatcher(secret)
  expect(isSecret(secret)).toBe(true)
  for (const other of ['', 'a', `${secret} `, secret.slice(0, -1), secret.toUpperCase()]) {
    expect(isSecret(other), other).toBe(false)
  }
})

test('other credentials do not match; a secret that begins like one does', () => {
  for (const beginning of ['eyJ', 'ek_']) {
    const similar = `${beginning}${secret}`
    expect(secretMatcher(secret)(similar)).toBe(false)
    expect(secretMatcher(similar)(similar)).toBe(true)
    expect(secretMatcher(similar)(`${similar}.`)).toBe(false)
  }
})

test('without a secret nothing matches', () => {
  expect(secretMatcher(undefined)('')).toBe(false)
  expect(secretMatcher(undefined)('undefined')).toBe(false)
})
