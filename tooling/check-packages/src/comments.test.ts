/** Every public name of a published package has a comment that says what it is, with units, errors and examples. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commentFaults } from './comment-faults.ts'
import { publicEntryPoints } from './entry-points.ts'
import { createReader, publicExports } from './public-exports.ts'

/** What a user of the entry point begins with. */
const mainNames: Readonly<Record<string, readonly string[]>> = {
  '@engine/adapters-csv': ['csvAdapter', 'connect'],
  '@engine/adapters-libsql': ['libsqlAdapter', 'connect'],
  '@engine/adapters-mysql': ['mysqlAdapter', 'connect'],
  '@engine/adapters-postgres': ['postgresAdapter', 'connect'],
  '@engine/adapters-sqlite': ['sqliteAdapter', 'connect'],
  '@engine/admin': ['serveAdmin'],
  '@engine/auth': ['createAuth'],
  '@engine/client': ['createClient'],
  '@engine/client/auth': ['createAuth', 'browserStorage'],
  '@engine/client/drizzle': ['createDrizzleDriver'],
  '@engine/client/kysely': ['engineDialect', 'batch'],
  '@engine/codegen': ['generate'],
  '@engine/core': [
    'createEngine',
    'defineConfig',
    'defineAction',
    'definePermission',
    'definePermissions',
  ],
  '@engine/create': ['createFolder'],
  '@engine/http': ['createGateway'],
  '@engine/http/node': ['toNodeHandler'],
  '@engine/pgwire': ['createPgWireServer'],
  '@engine/server': ['defineConfig', 'serve'],
}

/** For adapters and servers, which are parts of the engine: their functions throw one kind of error. */
const inner = [
  '@engine/adapters-mysql/dialect',
  '@engine/adapters-sqlite/dialect',
  '@engine/core/adapter',
  '@engine/core/catalog',
  '@engine/core/driver',
  '@engine/core/print',
  '@engine/core/server',
  '@engine/core/session',
  '@engine/core/store',
  '@engine/core/tree',
  '@engine/core/values',
]

const read = createReader()

const entryPoints = publicEntryPoints()

test('every entry point is looked at', () => {
  const names = entryPoints.map(({ entryPoint }) => entryPoint)
  expect(names).toEqual(expect.arrayContaining([...Object.keys(mainNames), ...inner]))
  expect(names.length).toBeGreaterThan(20)
})

test.each(entryPoints)('$entryPoint', ({ entryPoint, file }) => {
  const exported = publicExports(file, read)
  expect(exported).not.toEqual([])
  const rules = {
    main: mainNames[entryPoint] ?? [],
    requiresThrows: !inner.includes(entryPoint),
  }
  expect(commentFaults(exported, read, rules)).toEqual([])
})

describe('what is missing is found', () => {
  function faultsIn(
    files: Readonly<Record<string, string>>,
    main: readonly string[] = [],
  ): readonly string[] {
    const folder = mkdtempSync(join(tmpdir(), 'engine-comments-'))
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const readFresh = createReader()
      const exported = publicExports(join(folder, 'index.ts'), readFresh)
      return commentFaults(exported, readFresh, { main, requiresThrows: true })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('a comment', () => {
    expect(
      faultsIn({
        'index.ts': `/** @module Start here. */
export function bare() {}
/** Has one. */
export const known = 1
/** Of something else. */
const other = 2
export type { Through as Renamed } from './other.ts'
export { overloaded, type Known } from './other.ts'
export { other }
export { parse } from 'library'`,
        'other.ts': `export interface Through { a: 1 }
// Not for readers of the API.
export type Known = 1
/** Of the first declaration. */
export function overloaded(a: 1): void
export function overloaded(a: number): void {}`,
      }),
    ).toEqual(['bare: no comment', 'Renamed: no comment', 'Known: no comment'])
  })

  test('a sentence before the tags', () => {
    const files = { 'index.ts': '/** @example make() */\nexport function make() {}' }
    expect(faultsIn(files, ['make'])).toEqual(['make: no sentence'])
  })

  test('an example', () => {
    const files = { 'index.ts': '/** Makes it. */\nexport function make() {}' }
    expect(faultsIn(files, ['make', 'gone'])).toEqual([
      'gone: is not exported',
      'make: no @example',
    ])
  })

  test('an error', () => {
    expect(
      faultsIn({
        'index.ts': `/** Throws. */
export function one() { if (1) { throw new Error() } }
/** Says so. @throws {Error} always. */
export function two() { throw new Error() }
/** Its callback does. */
export function three() { return () => { throw new Error() } }`,
      }),
    ).toEqual(['one: throws, without @throws'])
  })

  test('a unit', () => {
    expect(
      faultsIn({
        'index.ts': `/** Options. */
export interface Options {
  timeout: number
  /** In seconds. */
  interval?: number | undefined
  delayMs: number
  /** For how long. */
  period: number | undefined
  expires: string
}`,
      }),
    ).toEqual(['Options: timeout has no unit', 'Options: period has no unit'])
  })
})
