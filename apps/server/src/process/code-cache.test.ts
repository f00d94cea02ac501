import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { enableCodeCache, isOwn } from './code-cache.ts'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engine-cache-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('a directory that others can write is not used for code', () => {
  const directory = newDirectory()
  expect(isOwn(directory)).toBe(true)
  chmodSync(directory, 0o777)
  expect(isOwn(directory)).toBe(false)
})

test('without a place to write, there is no cache and no error', () => {
  expect(() => enableCodeCache({ XDG_CACHE_HOME: '/dev/null' })).not.toThrow()
})

test('the choice of the user comes first', () => {
  const directory = newDirectory()
  enableCodeCache({ NODE_COMPILE_CACHE: '/elsewhere', XDG_CACHE_HOME: directory })
  expect(readdirSync(directory)).toEqual([])
})
