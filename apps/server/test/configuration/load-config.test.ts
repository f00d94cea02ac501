import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findConfig, loadConfig } from '../../src/configuration/load-config.ts'
import { loadEnvFile } from '../../src/reload/env-file.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

let folder: TestFolder

beforeEach(() => {
  folder = createFolder()
})
afterEach(() => folder.remove())

const variable = (name: string) => `$\{${name}}`

describe('a configuration file is', () => {
  test('what is named, else what ENGINE_CONFIG names, else the first of the usual ones', () => {
    const found = (given: string | undefined, env: NodeJS.ProcessEnv = {}) =>
      findConfig(given, env, folder.path)
    expect(found(undefined)).toBeUndefined()
    folder.write('engine.config.json', '{}')
    expect(found(undefined)).toBe(join(folder.path, 'engine.config.json'))
    folder.write('engine.config.ts', '')
    expect(found(undefined)).toBe(join(folder.path, 'engine.config.ts'))
    expect(found(undefined, { ENGINE_CONFIG: 'a.json' })).toBe(join(folder.path, 'a.json'))
    expect(found(undefined, { ENGINE_CONFIG: '' })).toBe(join(folder.path, 'engine.config.ts'))
    expect(found('/b.json', { ENGINE_CONFIG: 'a.json' })).toBe('/b.json')
  })

  test.each([
    ['c.ts', 'const port: number = 5\nexport default { port }'],
    ['c.mjs', 'export default { port: 5 }'],
    ['c.json', '{"port": 5}'],
  ])('%s', async (name, text) => {
    expect(await loadConfig(folder.write(name, text), {})).toEqual({ port: 5 })
  })
})

test('variables of .env beside the configuration have priority over those of the working directory', async () => {
  folder.write('.env', 'KEY=outer\nONLY=outer\nOWN=outer\n')
  folder.write('app/.env', 'KEY=beside\nOWN=beside\n')
  const text = JSON.stringify({ x: ['KEY', 'ONLY', 'OWN'].map(variable) })
  const path = folder.write('app/engine.config.json', text)
  const environment: NodeJS.ProcessEnv = { OWN: 'own' }
  // As the program does before it knows the configuration.
  loadEnvFile(join(folder.path, '.env'), environment)
  expect(await loadConfig(path, environment)).toEqual({ x: ['beside', 'outer', 'own'] })
})

test('JSON may begin with a byte order mark', async () => {
  expect(await loadConfig(folder.write('c.json', '\uFEFF{"port": 5}'), {})).toEqual({ port: 5 })
})

test('JSON that names a key twice is refused: one of them would be lost', async () => {
  const path = folder.write('c.json', '{"permissions": {"own": {}, "own": {"restrict": {}}}}')
  await expect(loadConfig(path, {})).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message: `${path} names "own" twice.`,
  })
})

test('in JSON, texts may hold variables of the environment, in part and more than one', async () => {
  const [a, b] = [variable('A_1'), variable('b')]
  const path = folder.write(
    'c.json',
    JSON.stringify({ x: [`${a}-${b}`, { y: a }], [a]: '$A_1 {b}' }),
  )
  expect(await loadConfig(path, { A_1: 'one', b: `${a}"` })).toEqual({
    x: [`one-${a}"`, { y: 'one' }],
    [a]: '$A_1 {b}',
  })
})

test('in JSON, texts may hold what is in other files, beside the file itself or anywhere', async () => {
  folder.write('key.pem', 'KEY\n\n')
  const secret = folder.write('secret', `a ${variable('A')} b`)
  const path = folder.write(
    'c.json',
    JSON.stringify({ key: variable('file:key.pem'), x: [`<${variable(`file:${secret}`)}>`] }),
  )
  expect(await loadConfig(path, {})).toEqual({ key: 'KEY\n', x: [`<a ${variable('A')} b>`] })
})

test('a module that has changed is read again when that is asked for', async () => {
  const path = folder.write('c.mjs', 'export default { port: 5 }')
  expect(await loadConfig(path, {})).toEqual({ port: 5 })
  folder.write('c.mjs', 'export default { port: 6 }')
  expect(await loadConfig(path, {})).toEqual({ port: 5 })
  expect(await loadConfig(path, {}, true)).toEqual({ port: 6 })
})

test.each<[string, string, string, RegExp]>([
  ['broken JSON', 'c.json', '{', /c\.json is not valid JSON/],
  ['a list', 'c.json', '[]', /c\.json: the configuration is no object\.$/],
  ['a function', 'c.mjs', 'export default () => ({})', /the configuration is a function: write/],
  ['a module that throws', 'c.mjs', 'throw new Error("no luck")', /cannot be loaded: no luck/],
  ['a module that does not parse', 'c.ts', 'export default {', /cannot be loaded/],
  [
    'a module without default',
    'c.mjs',
    'export const a = 1',
    /c\.mjs has no default export: write "export default defineConfig\(\{ … \}\)"\.$/,
  ],
  [
    'a configuration that is exported by name',
    'c.ts',
    'export const config = { connections: {} }',
    /c\.ts exports "config" and no default: write "export default defineConfig\(\{ … \}\)" instead of/,
  ],
  [
    'a configuration by name in CommonJS',
    'c.cjs',
    'exports.config = { connections: {} }',
    /c\.cjs: the configuration stands in "config": write/,
  ],
  [
    'a package that is not installed',
    'c.ts',
    'import "not-installed"\nexport default {}',
    /Cannot find package 'not-installed' imported from \S*\/c\.ts \(is the name right, and the package installed\?\)$/,
  ],
  [
    'a misspelt package of ours',
    'c.ts',
    'import "@engine/serve"\nexport default {}',
    /Cannot find package '@engine\/serve' imported from \S*\/c\.ts; did you mean "@engine\/server"\?$/,
  ],
  [
    'a package of ours that is not installed',
    'c.ts',
    'import "@engine/codegen"\nexport default {}',
    /imported from \S*\/c\.ts \(npm install @engine\/codegen\)$/,
  ],
  [
    'variables that are not set',
    'c.json',
    JSON.stringify([variable('A'), { b: variable('B') }, variable('A')]),
    /not set: A, B$/,
  ],
  [
    'files that are not there',
    'c.json',
    JSON.stringify([variable('file:none.pem')]),
    /cannot be read: \/.*\/none\.pem$/,
  ],
])('%s is a fault of the configuration', async (_, name, text, message) => {
  const path = folder.write(name, text)
  await expect(loadConfig(path, {})).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message: expect.stringMatching(message),
  })
})

test('a package that package.json names is to be installed with the others', async () => {
  folder.write('package.json', JSON.stringify({ dependencies: { 'not-installed': '1' } }))
  const path = folder.write('c.ts', 'import "not-installed"\nexport default {}')
  await expect(loadConfig(path, {})).rejects.toMatchObject({
    message: expect.stringMatching(/c\.ts \(npm install: package\.json names it\)$/),
  })
})

test('a file that is not there is one too', async () => {
  await expect(loadConfig(join(folder.path, 'c.json'), {})).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message: expect.stringMatching(/There is no file .*c\.json/),
  })
})
