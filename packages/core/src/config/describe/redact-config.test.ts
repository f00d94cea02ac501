import { expect, test } from 'vitest'
import { redactConfig } from './redact-config.ts'

test.each([
  'masterKey',
  'secret',
  'secrets',
  'password',
  'pass',
  'pepper',
  'clientSecret',
  'authToken',
  'apiKey',
  'passphrase',
])('%s is hidden, whatever its form', (name) => {
  for (const value of ['Z1', 26, ['Z2', 'Z3']]) {
    expect(JSON.stringify(redactConfig({ [name]: value }))).not.toMatch(/Z|26/)
  }
})

test('what is inside a secret of several parts is hidden as far as it is named so', () => {
  const tls = { key: 'PRIVATE', cert: 'PUBLIC' }
  expect(redactConfig({ tls })).toEqual({ tls: { key: '[redacted]', cert: 'PUBLIC' } })
})

test.each([
  ['postgres://app:pw@host/db', 'postgres://app:[redacted]@host/db'],
  ['postgres://app:p@w:x@host/db', 'postgres://app:[redacted]@host/db'],
  ['postgres://app@host/db', 'postgres://app@host/db'],
  [
    'postgres://host/db?user=a&password=pw&x=1',
    'postgres://host/db?user=a&password=[redacted]&x=1',
  ],
  ['libsql://host?authToken=tok', 'libsql://host?authToken=[redacted]'],
  ['./shop.db', './shop.db'],
  ['a: b@c', 'a: b@c'],
])('%s is shown as %s', (url, shown) => {
  expect(redactConfig({ connections: { main: url } })).toEqual({ connections: { main: shown } })
})

test('everything else is shown as it is', () => {
  const cors = { origin: ['https://app.example.com'], credentials: true }
  const config = { port: 1, limits: { maxRows: 5 }, roles: ['a'], on: true, none: undefined, cors }
  expect(redactConfig(config)).toEqual(config)
})

test('private parts of keys are hidden, public ones are shown', () => {
  const jwks = {
    keys: [
      { kty: 'EC', crv: 'P-256', x: 'PUBLIC', d: 'PRIVATE' },
      { kty: 'oct', k: 'SHARED' },
    ],
  }
  expect(redactConfig({ issuers: [{ jwks }] })).toEqual({
    issuers: [
      {
        jwks: {
          keys: [
            { kty: 'EC', crv: 'P-256', x: 'PUBLIC', d: '[redacted]' },
            { kty: 'oct', k: '[redacted]' },
          ],
        },
      },
    ],
  })
})

test('what is code or belongs to a library is named only, so that the rest is JSON', () => {
  class Schema {
    readonly self = this
  }
  const config = {
    resolveSession: () => undefined,
    actions: { pay: { roles: ['clerk'], input: new Schema(), run: async () => 1 } },
    cert: new Uint8Array([1, 2, 3]),
    big: 1n,
  }
  expect(JSON.parse(JSON.stringify(redactConfig(config)))).toEqual({
    resolveSession: '[function]',
    actions: { pay: { roles: ['clerk'], input: '[Schema]', run: '[function]' } },
    cert: '[3 bytes]',
    big: '1',
  })
})

test('a configuration that holds itself has an end', () => {
  const config: Record<string, unknown> = {}
  config['self'] = config
  expect(JSON.stringify(redactConfig(config))).toContain('[too deep]')
})
