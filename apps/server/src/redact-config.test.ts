import { expect, test } from 'vitest'
import { redacted } from './redact-config.ts'

test.each(['masterKey', 'secret', 'password', 'clientSecret', 'authToken', 'apiKey', 'passphrase'])(
  '%s is hidden, whatever its form',
  (name) => {
    for (const value of ['Z1', 26, ['Z2', 'Z3']]) {
      expect(JSON.stringify(redacted({ [name]: value }))).not.toMatch(/Z|26/)
    }
  },
)

test('what is inside a secret of several parts is hidden as far as it is named so', () => {
  const tls = { key: 'PRIVATE', cert: 'PUBLIC' }
  expect(redacted({ tls })).toEqual({ tls: { key: '[redacted]', cert: 'PUBLIC' } })
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
  expect(redacted({ connections: { main: url } })).toEqual({ connections: { main: shown } })
})

test('everything else is shown as it is', () => {
  const config = { port: 1, limits: { maxRows: 5 }, roles: ['a'], on: true, none: undefined }
  expect(redacted(config)).toEqual(config)
})
