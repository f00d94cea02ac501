import { expect, test } from 'vitest'
import { createCrossOrigin } from './cors.ts'

const app = 'https://app.example.com'
const listed = createCrossOrigin({ origins: [app], credentials: true, maxAgeSeconds: 60 })
const open = createCrossOrigin({ origins: ['*'], credentials: false, maxAgeSeconds: 0 })

test('without origins there is nothing', () => {
  expect(createCrossOrigin(undefined)).toBeUndefined()
})

test('a listed origin gets itself back, with credentials where they are allowed', () => {
  expect(listed?.headersFor(app)).toMatchObject({
    'Access-Control-Allow-Origin': app,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': expect.stringContaining('X-Request-Id'),
    Vary: 'Origin',
  })
})

test.each([
  'https://app.example.com.evil.com',
  'https://evil.com/https://app.example.com',
  'http://app.example.com',
  'https://app.example.com:443',
  'https://APP.example.com',
  'https://app.example.com/',
  'https://xapp.example.com',
  ' https://app.example.com',
  'null',
  '*',
  '',
  '__proto__',
])('%j is a stranger: nothing but Vary', (origin) => {
  expect(listed?.headersFor(origin)).toEqual({ Vary: 'Origin' })
  expect(listed?.preflightFor(origin, 'authorization')).toEqual({})
})

test('a request that names no origin gets nothing but Vary', () => {
  expect(listed?.headersFor(null)).toEqual({ Vary: 'Origin' })
})

test('where every origin is allowed the answer is a star, without credentials', () => {
  for (const origin of [app, 'null', 'https://evil.example']) {
    const headers = open?.headersFor(origin)
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
    expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials')
  }
})

test('a preflight gets methods, headers and how long to cache them', () => {
  expect(listed?.preflightFor(app, null)).toMatchObject({
    'Access-Control-Allow-Methods': expect.stringContaining('POST'),
    'Access-Control-Allow-Headers': expect.stringContaining('Authorization, Content-Type'),
    'Access-Control-Max-Age': '60',
    Vary: 'Origin, Access-Control-Request-Headers',
  })
})

test('headers that are asked for are allowed once each, if they are names', () => {
  const headers = listed?.preflightFor(app, 'X-Client, content-type,x-client, bad name,é,x\r\ny:z,')
  expect(headers?.['Access-Control-Allow-Headers']?.split(', ')).toEqual([
    'Authorization',
    'Content-Type',
    'If-None-Match',
    'X-Request-Id',
    'traceparent',
    'X-Client',
  ])
})

test('an answer to a preflight stays small', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `x-${i}`).join(',')
  const headers = listed?.preflightFor(app, many)
  expect(headers?.['Access-Control-Allow-Headers']?.length).toBeLessThan(1_000)
})
