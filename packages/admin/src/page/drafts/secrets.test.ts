import { expect, test } from 'vitest'
import { mayHoldSecret, mayHoldSecrets } from './secrets.ts'

test.each([
  'ek_0123456789abcdef',
  'postgres://engine:correct-horse@host/shop',
  '-----BEGIN PRIVATE KEY-----',
  'eyJhbGciOiJIUzI1NiJ9',
  'Kx9vQ2mZ7pLr4TnW8sYb',
])('%s may be a secret', (text) => {
  expect(mayHoldSecret(`"value": "${text}"`)).toBe(true)
})

test.each([
  'postgres://engine:***@host/shop',
  'postgres://engine@host:5432/shop',
  'https://shop.example:8443/path',
  '{ "tenant_id": { "$eq": "$user.tenant_id" } }',
  'bc054aae-9a28-4f0e-8a51-1c7d5f1c2b3a',
])('%s is none', (text) => {
  expect(mayHoldSecret(text)).toBe(false)
})

test('a value is taken for a secret by the name of its column too', () => {
  expect(mayHoldSecrets({ password: 'short' })).toBe(true)
  expect(mayHoldSecrets({ password: null, name: 'Ada' })).toBe(false)
})
