import { expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

test('secrets of a configuration are taken out, wherever they stand', () => {
  const { redact, protect } = createRedactor()
  protect({
    masterKey: 'key "with" quotes and more',
    auth: { secret: ['first-secret', 'second-secret'], password: { pepper: 'black-pepper' } },
    connections: {
      main: 'postgres://app:pass%21word@host/db',
      remote: { url: 'libsql://host?authToken=token-of-the-url' },
    },
  })
  const line = JSON.stringify({
    msg: 'key "with" quotes and more',
    err: ['first-secret', 'second-secret', 'black-pepper'],
    url: 'pass!word pass%21word token-of-the-url',
  })
  expect(JSON.parse(redact(line))).toEqual({
    msg: '[redacted]',
    err: ['[redacted]', '[redacted]', '[redacted]'],
    url: '[redacted] [redacted] [redacted]',
  })
})

test('words of messages stay readable where a secret is one of them', () => {
  const { redact, protect } = createRedactor()
  protect({ auth: { secret: 'secret' }, connections: { main: 'postgres://app:password@host/db' } })
  const line = 'auth.secret: a secret of 32 bytes is needed; auth.password.pepper'
  expect(redact(line)).toBe(line)
  expect(redact('postgres://app:password@host/db')).toBe('postgres://app:[redacted]@host/db')
})

test('names of tables and columns stay readable, though they are called like secrets', () => {
  const { redact, protect } = createRedactor()
  protect({
    connections: { main: { directory: 'data', tables: { users: { key: 'user_token' } } } },
    permissions: { own: { table: 'main.tokens', select: { columns: ['api_secret'] } } },
  })
  expect(redact('user_token main.tokens api_secret')).toBe('user_token main.tokens api_secret')
})

test.each([
  ['a token', 'x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl y'],
  ['an API key', 'x ek_abc123_0123456789abcdefABCDEF y'],
  ['a bearer credential', 'x Bearer 0123456789abcdef y'],
])('%s is known by its form', (_, line) => {
  expect(createRedactor().redact(line)).toBe('x [redacted] y')
})

test('the password of a URL is taken out, the rest stays', () => {
  const { redact } = createRedactor()
  expect(redact('postgres://app:hunter2@db.example.com:5432/shop')).toBe(
    'postgres://app:[redacted]@db.example.com:5432/shop',
  )
  expect(redact('http://127.0.0.1:3001 and ada@example.com')).toBe(
    'http://127.0.0.1:3001 and ada@example.com',
  )
})
