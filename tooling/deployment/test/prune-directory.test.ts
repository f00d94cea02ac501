import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pruneDirectory } from '../src/prune-directory.ts'

test('it removes what is not needed, from each package once', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-prune-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const sqlite = join('node_modules', '.pnpm', 'better-sqlite3@1.0.0', 'node_modules')
  const files = [
    join('dist', 'main.js'),
    join('dist', 'main.js.map'),
    join('src', 'main.ts'),
    join(sqlite, 'better-sqlite3', 'lib', 'index.js'),
    join(sqlite, 'better-sqlite3', 'deps', 'sqlite3.c'),
    join(sqlite, 'better-sqlite3', 'prebuilds', 'linux-arm64.node'),
    join(sqlite, 'better-sqlite3', 'prebuilds', 'linux-x64.node'),
  ]
  for (const file of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), '12345')
  }
  const link = join(directory, 'node_modules', 'better-sqlite3')
  symlinkSync(join(directory, sqlite, 'better-sqlite3'), link, 'junction')

  expect(pruneDirectory(directory, 'linux-x64')).toBe(20)
  const left = files.filter((path) => existsSync(join(directory, path)))
  expect(left).toEqual([files[0], files[3], files[6]])
})
