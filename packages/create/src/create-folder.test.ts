import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolder } from './create-folder.ts'
import { packageName } from './folder-files.ts'
import { packageManager } from './package-manager.ts'
import { readWords } from './read-words.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'engine-create-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a new folder has a package of modules with the server, and keeps secrets out of git', () => {
  const path = join(root, 'My Shop')
  mkdirSync(join(path, '.git'), { recursive: true })
  const { files } = createFolder(path)
  expect(files).toEqual(['package.json', 'tsconfig.json', '.gitignore'])
  expect(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-shop',
    private: true,
    type: 'module',
    dependencies: { '@engine/server': 'latest' },
  })
  expect(readFileSync(join(path, '.gitignore'), 'utf8').split('\n')).toContain('.env')
})

test('a folder with something in it stays as it is', () => {
  const file = join(root, 'package.json')
  writeFileSync(file, '{}')
  expect(() => createFolder(root)).toThrow(
    /is not empty\. Choose another folder, or run in it: npm/,
  )
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test.each([
  ['/home/me/Shop 2!', 'shop-2'],
  ['/home/me/.shop', 'shop'],
  ['/home/me/店', 'engine-project'],
])('the package of %s is %s', (folder, name) => {
  expect(packageName(folder)).toBe(name)
})

test.each([
  [undefined, 'npm', 'npx'],
  ['npm/10.9.0 node/v24.0.0 linux x64', 'npm', 'npx'],
  ['pnpm/10.1.0 npm/? node/v24.0.0 linux x64', 'pnpm', 'pnpm exec'],
  ['yarn/4.0.0 npm/? node/v24.0.0 linux x64', 'yarn', 'yarn'],
  ['bun/1.3.0 npm/? node/v24.0.0 linux x64', 'bun', 'bunx'],
])('%s installs with %s', (agent, name, runs) => {
  expect(packageManager(agent)).toEqual({ name, runs })
})

test('the folder stands first, other options are those of init', () => {
  expect(readWords(['shop', '--no-install', '--url', 'a.db', '--yes'])).toEqual({
    folder: 'shop',
    installs: false,
    isHelp: false,
    rest: ['--url', 'a.db', '--yes'],
  })
  expect(readWords(['--url', 'a.db'])).toMatchObject({ folder: undefined, rest: ['--url', 'a.db'] })
  expect(readWords(['--help'])).toMatchObject({ isHelp: true })
})
