import { expect, test } from 'vitest'
import { unsharedDatabases } from './unshared.ts'

test.each([
  [':memory:', true],
  ['file::memory:', true],
  ['file:shop?mode=memory&cache=shared', true],
  ['shop.db', false],
  ['file:shop.db?mode=ro', false],
  ['postgres://127.0.0.1/memory', false],
])('%s is in memory: %s', (url, isInMemory) => {
  const paths = isInMemory ? ['service_db', 'connections.a', 'connections.b'] : []
  const config = { service_db: url, connections: { a: url, b: { url } } }
  expect(unsharedDatabases(config).map(({ path }) => path)).toEqual(paths)
})
