import { expect, test } from 'vitest'
import { entriesOf } from './entries.ts'
import { includedDependencies, isDependency } from './included-dependencies.ts'
import { licencesOf, packageDirectory } from './licences.ts'
import { startedByAddress } from './thread-entries.ts'

const source = '@engine/source'

test('what a package exports and its programs are entries, by the name of the built file', () => {
  const entries = entriesOf({
    name: 'example',
    exports: {
      '.': { [source]: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
      './server': { [source]: './src/entry-points/server.ts', default: './dist/server.js' },
      './package.json': './package.json',
    },
    bin: { example: './dist/main.js' },
  })
  expect(entries).toEqual({
    index: 'src/index.ts',
    server: 'src/entry-points/server.ts',
    main: 'src/main.ts',
  })
})

test.each(['./dist/folder/index.js', './dist/other.js', './index.js'])(
  'a built file is in dist itself and named as its source: not %s',
  (built) => {
    const exports = { '.': { [source]: './src/index.ts', default: built } }
    expect(() => entriesOf({ name: 'example', exports })).toThrow(built)
  },
)

test('a file that is started by its address is found', () => {
  const code = `const entry = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)`
  expect(startedByAddress(code)).toEqual(['worker'])
  expect(startedByAddress(`new URL(isSource ? './a.ts' : './b.js', import.meta.url)`)).toEqual([])
})

test('a dependency is included, a peer of the application is not', () => {
  const isIncluded = includedDependencies({ dependencies: { kysely: '1.0.0', pg: '8.0.0' } })
  expect(
    ['kysely', 'kysely/helpers/postgres', 'kysely-more', 'pg', 'zod'].filter(isIncluded),
  ).toEqual(['kysely', 'kysely/helpers/postgres'])
})

test('files of dependencies are told from our own', () => {
  expect(packageDirectory('/r/node_modules/.pnpm/k@1/node_modules/@s/k/dist/a.js')).toBe(
    '/r/node_modules/.pnpm/k@1/node_modules/@s/k',
  )
  expect(isDependency('/r/packages/core/src/a.ts')).toBe(false)
  expect(licencesOf(['/r/packages/core/src/a.ts'])).toBeUndefined()
})
