import { expect, test } from 'vitest'
import { encodeBody } from './encode-body.ts'

const bytes = new Uint8Array([0, 1, 255, 7]).subarray(1, 3)

test.each([
  [123456789012345678901234567890n, '123456789012345678901234567890'],
  [bytes, '\\x01ff'],
  [Buffer.from(bytes), '\\x01ff'],
  [new DataView(bytes.buffer, 1, 2), '\\x01ff'],
  [bytes.slice().buffer, '\\x01ff'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('%o is sent as %s', (value, sent) => {
  expect(JSON.parse(encodeBody({ params: [value, [value]] }))).toEqual({ params: [sent, [sent]] })
})

test('what JSON has words for is sent as it is', () => {
  const body = { sql: 'select 1', params: [1, -0.5, 'a', null, true, { a: [1, { b: null }] }] }
  expect(encodeBody(body)).toBe(JSON.stringify(body))
  expect(encodeBody({ document: { share: Number.NaN } })).toBe('{"document":{"share":null}}')
})

test('a date that is none is not sent', () => {
  expect(() => encodeBody({ params: [new Date('soon')] })).toThrow(TypeError)
})
