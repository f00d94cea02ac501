import { expect, test } from 'vitest'
import { connectionOptions, databaseOf } from './connection-options.ts'

test('a URL says where and who', () => {
  expect(connectionOptions('mysql://us%40er:p%2Fw@db.example:3307/shop')).toMatchObject({
    host: 'db.example',
    port: 3307,
    user: 'us@er',
    password: 'p/w',
    database: 'shop',
  })
  expect(connectionOptions('mariadb://root@[::1]/a%20b')).toMatchObject({
    host: '::1',
    port: 3306,
    database: 'a b',
  })
  expect(connectionOptions('mysql://u@localhost/x?socket=/run/s')).toMatchObject({
    socketPath: '/run/s',
  })
  expect(databaseOf('mysql://u@h/x?ssl-mode=disabled')).toBe('x')
})

test('no value is read as a JavaScript number or date, no file is sent, one statement at a time', () => {
  expect(connectionOptions('mysql://u@h/x')).toMatchObject({
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    flags: expect.arrayContaining(['FOUND_ROWS', '-LOCAL_FILES']),
  })
})

test.each([
  ['', undefined],
  ['?ssl-mode=DISABLED', undefined],
  ['?sslmode=require', { rejectUnauthorized: false, verifyIdentity: false }],
  ['?ssl-mode=REQUIRED', { rejectUnauthorized: false, verifyIdentity: false }],
  ['?ssl-mode=VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
  ['?ssl-mode=VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
  ['?sslmode=verify-full', { rejectUnauthorized: true, verifyIdentity: true }],
  ['?ssl=true', { rejectUnauthorized: true, verifyIdentity: true }],
  [
    `?ssl-ca=${import.meta.filename}`,
    { rejectUnauthorized: true, verifyIdentity: true, ca: expect.stringContaining('import') },
  ],
])('TLS of %s', (search, ssl) => {
  expect(connectionOptions(`mysql://u@h/x${search}`).ssl).toEqual(ssl)
})

test.each([
  ['mysql://user:SECRET@host', 'no database'],
  ['mysql://user:SECRET@host:port/x', 'malformed'],
  ['mysql://user:SECRET@host/x?multipleStatements=true', 'multipleStatements'],
  ['mysql://user:SECRET@host/x?ssl-mode=maybe', 'ssl-mode'],
  ['mysql://user:SECRET@10.0.0.1/x?ssl-mode=verify_identity', 'name of a host'],
  ['mysql://user:SECRET@[::1]/x?ssl=true', 'name of a host'],
  ['mysql://user:SECRET@host/x?ssl-ca=/nowhere/ca.pem', '/nowhere/ca.pem'],
])('%s is refused without telling the password', (url, says) => {
  expect(() => connectionOptions(url)).toThrow(
    expect.objectContaining({
      problem: 'invalidConfiguration',
      message: expect.stringContaining(says),
    }),
  )
  expect(() => connectionOptions(url)).not.toThrow(/SECRET/)
})
