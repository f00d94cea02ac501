import { expect, test } from 'vitest'
import { checkApiKeyInput } from './api-key-input.ts'

const nowMs = Date.UTC(2026, 10, 22)

test('what is not given has its default', () => {
  expect(checkApiKeyInput({ name: 'x', roles: ['a', 'a'] }, nowMs)).toEqual({
    name: 'x',
    roles: ['a'],
    fields: {},
    userId: undefined,
    expiresAtMs: undefined,
  })
})

test.each([
  ['no name', { name: '', roles: [] }],
  ['a name with U+0000', { name: 'a\0b', roles: [] }],
  ['a name that is no text in UTF-8', { name: '\ud800', roles: [] }],
  ['no roles', { name: 'x' }],
  ['roles that are a text', { name: 'x', roles: 'admin' }],
  ['an empty role', { name: 'x', roles: [''] }],
  ['a user that is a number', { name: 'x', roles: [], userId: 7 }],
  ['an end that has passed', { name: 'x', roles: [], expiresAt: '2001-01-01T00:00:00Z' }],
  ['an end without a zone', { name: 'x', roles: [], expiresAt: '2099-01-01T00:00:00' }],
  ['an end that is no time', { name: 'x', roles: [], expiresAt: 'tomorrow' }],
  ['fields that are a list', { name: 'x', roles: [], fields: [] }],
  ['fields without measure', { name: 'x', roles: [], fields: { x: 'x'.repeat(5_000) } }],
  ['something else', { name: 'x', roles: [], admin: true }],
])('%s is refused', (_, input) => {
  expect(() => checkApiKeyInput(input as never, nowMs)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', status: 400 }),
  )
})
