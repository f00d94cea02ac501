import { expect, test } from 'vitest'
import { parseBatchRequest, parseDataRequest } from './data-request.ts'

const valid = { sql: 'select 1', params: [], method: 'all' }

test('a request is taken with its four fields', () => {
  expect(parseDataRequest(valid)).toEqual({ ...valid, meta: false })
  expect(parseDataRequest({ ...valid, meta: true, method: 'execute' })).toEqual({
    ...valid,
    meta: true,
    method: 'execute',
  })
})

test.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['a text', 'select 1'],
  ['no sql', { params: [], method: 'all' }],
  ['sql that is no text', { ...valid, sql: 1 }],
  ['no params', { sql: 'select 1', method: 'all' }],
  ['params that are no list', { ...valid, params: {} }],
  ['no method', { sql: 'select 1', params: [] }],
  ['an unknown method', { ...valid, method: 'toString' }],
  ['a method that is a list', { ...valid, method: ['all'] }],
  ['meta that is no boolean', { ...valid, meta: 1 }],
  ['an unknown field', { ...valid, role: 'admin' }],
  ['a prototype field', JSON.parse('{"sql":"select 1","params":[],"method":"all","__proto__":{}}')],
  [
    'a parameter nested too deeply',
    { ...valid, params: [JSON.parse('['.repeat(80) + ']'.repeat(80))] },
  ],
])('%s is refused', (_, body) => {
  expect(() => parseDataRequest(body)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', status: 400 }),
  )
})

test('a method that is missing and one that is wrong have different messages', () => {
  const missing = 'The body lacks "method", one of all, get, values, run, execute.'
  expect(() => parseDataRequest({ sql: 'select 1', params: [] })).toThrow(missing)
  const wrong =
    'The body has a wrong value: "method" must be one of all, get, values, run, execute.'
  expect(() => parseDataRequest({ ...valid, method: 'rows' })).toThrow(wrong)
  expect(() => parseDataRequest({ ...valid, method: null })).toThrow(wrong)
})

test('a batch names the statement that is wrong', () => {
  expect(parseBatchRequest({ statements: [valid, valid] })).toHaveLength(2)
  expect(() => parseBatchRequest({ statements: [valid, { ...valid, sql: 1 }] })).toThrow(
    /Statement 2/,
  )
})

test.each<[string, unknown]>([
  ['no statements', {}],
  ['an empty list', { statements: [] }],
  ['an unknown field', { statements: [valid], connection: 'main' }],
  ['too many statements', { statements: Array.from({ length: 101 }, () => valid) }],
])('a batch with %s is refused', (_, body) => {
  expect(() => parseBatchRequest(body)).toThrow(expect.objectContaining({ status: 400 }))
})
