import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium } from './find-chromium.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-chromium-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function place(name: string, mode: number): string {
  const path = join(folder, name)
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}

test('a program on the PATH is found', () => {
  const path = place('chromium', 0o755)
  expect(findChromium({ PATH: folder })).toEqual({ kind: 'program', path })
})

test('TEST_CHROMIUM comes first', () => {
  place('chromium', 0o755)
  const path = place('other', 0o755)
  expect(findChromium({ PATH: folder, TEST_CHROMIUM: path })).toEqual({ kind: 'program', path })
})

test('what TEST_CHROMIUM names is not replaced by something else', () => {
  place('chromium', 0o755)
  const found = findChromium({ PATH: folder, TEST_CHROMIUM: join(folder, 'absent') })
  expect(found).toEqual({ kind: 'missing', reason: expect.stringContaining('TEST_CHROMIUM names') })
})

test('a file that cannot be run is none', () => {
  const path = place('notes.txt', 0o644)
  expect(findChromium({ TEST_CHROMIUM: path }).kind).toBe('missing')
})
