import { expect, test } from 'vitest'
import { connectionSource, schemesNamed, serviceDatabaseSource } from './connection-source.ts'

test.each([
  ['postgres://user@host/db', 'postgres', '@engine/adapters-postgres'],
  ['postgresql://host/db', 'postgres', '@engine/adapters-postgres'],
  ['mysql://host/db', 'mysql', '@engine/adapters-mysql'],
  ['mariadb://host/db', 'mysql', '@engine/adapters-mysql'],
  ['shop.db', 'sqlite', '@engine/adapters-sqlite'],
  ['/var/lib/shop.sqlite', 'sqlite', '@engine/adapters-sqlite'],
  ['C:\\data\\shop.db', 'sqlite', '@engine/adapters-sqlite'],
  ['file:shop?mode=ro', 'sqlite', '@engine/adapters-sqlite'],
  ['libsql://shop.example', 'sqlite', '@engine/adapters-libsql'],
  ['https://shop.example', 'sqlite', '@engine/adapters-libsql'],
])('%s is %s', (url, kind, adapterPackage) => {
  expect(connectionSource(url)).toMatchObject({ kind, adapterPackage })
})

test.each(['', 'shop', 'shop.txt', 'redis://host', 'ftp://host/shop.db', 'postgres:shop'])(
  '%j is none',
  (url) => {
    expect(connectionSource(url)).toBeUndefined()
  },
)

test.each([
  ['./data/engine', 'sqlite'],
  ['engine.sqlite3', 'sqlite'],
  ['/var/lib/engine/service', 'sqlite'],
  ['C:\\engine\\service', 'sqlite'],
  [':memory:', 'sqlite'],
  ['file:service?mode=rwc', 'sqlite'],
  ['postgres://db.test/service', 'postgres'],
  ['mysql://db.test/service', 'mysql'],
  ['redis://db.test', undefined],
])('the service database %s is %s', (url, kind) => {
  expect(serviceDatabaseSource(url)?.kind).toBe(kind)
})

test('the scheme of a registered adapter comes before the usual ones', () => {
  const connect = () => {
    throw new Error('nothing is opened here')
  }
  const adapters = { '@acme/x': { name: 'x', schemes: ['x', 'mysql'], connect } }
  const source = { kind: 'x', adapterPackage: '@acme/x' }
  expect(connectionSource('x:some/file', adapters)).toEqual(source)
  expect(connectionSource('mysql://db/x', adapters)).toEqual(source)
  expect(connectionSource('y:some/file', adapters)).toBeUndefined()
  expect(schemesNamed(adapters)).toMatch(/^x:, mysql:, postgres:/)
})
