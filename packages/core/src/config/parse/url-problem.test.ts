import { expect, test } from 'vitest'
import { parseConfig } from './parse-config.ts'
import { urlProblem } from './url-problem.ts'

test.each([
  ['postgres://app:pa#ss@db.test/shop', '%23'],
  ['postgres://app:12#34@db.test/shop', '%23'],
  ['mysql://app:pa/ss@db.test/shop', '%2F'],
  ['mysql://app:pa?ss@db.test/shop', '%3F'],
  ['postgres://app:pa@s/s@db.test/shop', '%2F'],
  ['mysql://app:pa@s?s@db.test/shop', '%3F'],
  ['libsql://db.test?authToken=a#b', '%23'],
  ['rediss://:pa#ss@cache.test', '%23'],
])('%s is told how to write the password', (url, encoded) => {
  expect(urlProblem(url)).toContain(encoded)
})

test.each([
  'postgres://app:p%23ss@db.test:5432/shop?sslmode=require',
  'postgres://app:p@ss:word@db.test/shop',
  'postgres://db.test/shop?user=a@b',
  'postgres://app:secret@db.test/shop?options=a@b',
  'postgres://app:secret@db.test?user=a@b',
  'postgres://app:secret@db.test/sh@p',
  'postgres://app:secret@db.test/shop?sslcert=/srv/a@b/c.pem',
  'postgres://db.test:5432/shop?user=a@b',
  'postgres://[::1]:5432/shop?user=a@b',
  'postgres://app:secret@/shop?host=/var/run',
  'libsql://db.test',
  'file:///srv/a#b.db',
  'file:a#b.db',
  './a#b.db',
])('%s has no such problem', (url) => {
  expect(urlProblem(url)).toBeUndefined()
})

test('a password with # is refused with the path of its connection, and not quoted', () => {
  const url = 'postgres://app:pa#ss@db.test/shop'
  const config = {
    connections: { plain: url, object: { url } },
    service_db: url,
    limits: { rateLimitStore: 'redis://:pa#ss@cache.test' },
    auth: { email: { smtp: 'smtp://app:pa#ss@mail.test' } },
  }
  const problem = (() => {
    try {
      return parseConfig(config)
    } catch (error) {
      return error as { readonly message: string; readonly details: { readonly faults: unknown } }
    }
  })()
  expect(problem).toMatchObject({
    details: {
      faults: [
        'service_db',
        'connections.plain',
        'connections.object',
        'auth.email.smtp',
        'limits.rateLimitStore',
      ].map((path) => ({ path, message: expect.stringContaining('%23') })),
    },
  })
  expect(JSON.stringify(problem)).not.toMatch(/pa#|ss@/)
})
