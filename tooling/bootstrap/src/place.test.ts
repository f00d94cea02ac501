import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calledIn, fileOf, placeOf } from './place.mjs'
import { root } from './run-program.mjs'

let top: string
let app: string

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'engine-place-'))
  app = join(top, 'apps', 'mine')
  mkdirSync(app, { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true }))

test('the directory that npm was called in counts below the root', () => {
  expect(calledIn({ INIT_CWD: app }, top)).toBe(app)
  expect(calledIn({}, top)).toBe(top)
  expect(calledIn({ INIT_CWD: tmpdir() }, top)).toBe(top)
  expect(calledIn({ INIT_CWD: join(top, 'gone') }, top)).toBe(top)
})

const tests = ['permissions', 'test', 'engine.tests.ts']

test('a configuration there comes first', () => {
  writeFileSync(join(app, 'engine.config.ts'), '')
  writeFileSync(join(app, 'engine.tests.ts'), '')
  const environment = { INIT_CWD: app }
  expect(placeOf(tests, environment, top)).toEqual({ directory: app, words: tests })
  expect(placeOf(['--demo'], environment, top)).toEqual({ directory: top, words: ['--demo'] })
})

test('otherwise the server runs at the root, with files of that directory', () => {
  mkdirSync(join(app, 'permissions'))
  writeFileSync(join(app, 'engine.tests.ts'), '')
  expect(placeOf(tests, { INIT_CWD: app }, top)).toEqual({
    directory: top,
    words: ['permissions', 'test', join(app, 'engine.tests.ts')],
  })
  expect(placeOf(tests, {}, top)).toEqual({ directory: top, words: tests })
})

test.each([
  [['init', '.'], {}],
  [['--config', 'a.ts'], {}],
  [['--config=a.ts'], {}],
  [[], { ENGINE_CONFIG: 'a.ts' }],
])('paths of %j, with %j, start at that directory', (words, named) => {
  expect(placeOf(words, { INIT_CWD: app, ...named }, top)).toEqual({ directory: app, words })
})

test('a program is where the user is, else at the root', () => {
  const folder = join(root, 'apps', 'example-drizzle')
  const environment = { INIT_CWD: folder }
  expect(fileOf('src/index.ts', environment)).toBe(join(folder, 'src', 'index.ts'))
  const other = 'apps/example-kysely/src/index.ts'
  expect(fileOf(other, environment)).toBe(join(root, other))
})
