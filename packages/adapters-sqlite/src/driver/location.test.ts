import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { databaseLocation } from './location.ts'

const file = { isMemory: false, readOnly: false, create: false }

test.each([
  ['./shop.db', { ...file, filename: resolve('shop.db') }],
  ['/srv/shop.sqlite', { ...file, filename: '/srv/shop.sqlite' }],
  ['a?b#c%20d.db', { ...file, filename: resolve('a?b#c%20d.db') }],
  ['file:shop.db', { ...file, filename: resolve('shop.db') }],
  ['file:/srv/shop.db', { ...file, filename: '/srv/shop.db' }],
  ['file:///srv/shop.db', { ...file, filename: '/srv/shop.db' }],
  ['file://localhost/srv/a%20b.db', { ...file, filename: '/srv/a b.db' }],
  ['file:shop.db?mode=rw&cache=private', { ...file, filename: resolve('shop.db') }],
  ['file:shop.db?mode=ro', { ...file, filename: resolve('shop.db'), readOnly: true }],
  ['file:shop.db?mode=rwc', { ...file, filename: resolve('shop.db'), create: true }],
  ['file:/a%23b.db?immutable=1', { ...file, filename: '/a#b.db', readOnly: true }],
])('%s names a file', (url, location) => {
  expect(databaseLocation(url)).toEqual(location)
})

test.each([':memory:', 'file::memory:', 'file:x?mode=memory', 'file::memory:?cache=shared'])(
  '%s is in memory',
  (url) => {
    expect(databaseLocation(url)).toMatchObject({ filename: ':memory:', isMemory: true })
  },
)

test.each([
  '',
  'file:',
  'file:?mode=ro',
  'file:a.db?mode=x',
  'file:a.db?vfs=unix-none',
  'file:a.db?nolock=1',
  'file://elsewhere/a.db',
  'file:%zz.db',
  'file:a%00.db',
  'a\0.db',
])('%j is refused', (url) => {
  expect(() => databaseLocation(url)).toThrow(
    expect.objectContaining({ problem: 'invalidConfiguration' }),
  )
})
