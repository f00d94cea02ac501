import { expect, test } from 'vitest'
import { isUnneeded } from './unneeded.ts'

test.each([
  ['@engine/core', 'src/index.ts'],
  ['@engine/core', 'dist/index.d.ts'],
  ['@engine/core', 'dist/index.js.map'],
  ['hono', 'README.md'],
  ['better-sqlite3', 'deps/sqlite3/sqlite3.c'],
  ['better-sqlite3', 'prebuilds/win32-x64.node'],
  ['@electric-sql/pglite', 'dist/cube.tar.gz'],
  ['csv-parse', 'dist/umd/index.js'],
  ['bintrees', 'test/perf/100k'],
])('of %s, %s is not needed', (packageName, path) => {
  expect(isUnneeded({ packageName, path }, 'linux-x64')).toBe(true)
})

test.each([
  ['@engine/core', 'dist/index.js'],
  ['@engine/core', 'dist/licences-of-included-code.txt'],
  ['@engine/pgwire', 'data/catalog.tar.gz'],
  ['zod', 'LICENSE.md'],
  ['better-sqlite3', 'lib/index.js'],
  ['better-sqlite3', 'prebuilds/linux-x64.node'],
  ['@electric-sql/pglite', 'dist/pglite.wasm'],
  ['@electric-sql/pglite', 'dist/index.cjs'],
  ['libpg-query', 'wasm/index.cjs'],
  ['csv-parse', 'dist/cjs/index.cjs'],
  ['hono', 'test/index.js'],
])('of %s, %s is needed', (packageName, path) => {
  expect(isUnneeded({ packageName, path }, 'linux-x64')).toBe(false)
})
