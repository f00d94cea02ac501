import { expect, test } from 'vitest'
import { connectionOf, formOf, urlOf } from './connection.ts'

test.each([
  ['shop.db'],
  [{ url: 'postgres://a:***@host/shop', readOnly: true, pool: { max: 5 } }],
  [{ url: 'postgres://host/shop', schemas: ['public', 'auth'] }],
  [{ directory: 'files', writable: true }],
])('%j comes back from the form as it was', (value) => {
  expect(connectionOf(formOf(value))).toEqual(value)
})

test('a URL with no other option is a text', () => {
  expect(connectionOf({ ...formOf(undefined), url: ' shop.db ' })).toBe('shop.db')
  expect(urlOf({ directory: 'files' })).toBe('files')
})

test('options that are no object are refused', () => {
  expect(() => connectionOf({ ...formOf('a.db'), more: '[1]' })).toThrow('JSON object')
})

test('a size of the pool that is no number is left for the engine to refuse', () => {
  expect(connectionOf({ ...formOf('a.db'), poolMax: 'ten' })).toEqual({
    url: 'a.db',
    pool: { max: 'ten' },
  })
})
