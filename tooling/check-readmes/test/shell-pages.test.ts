/** @module The blocks of shell on pages that have a `setup.sh` in `pages/`: one session for each page, in the order of its reader. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { pagesWithShell, runExample, shellOf, writeNamedBlocks } from '../src/index.ts'

// Starts servers: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

/** A folder where the packages of this one are found, and which version control ignores. */
const dist = fileURLToPath(new URL('../dist', import.meta.url))
mkdirSync(dist, { recursive: true })
const folder = mkdtempSync(join(dist, 'shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const functions = readFileSync(new URL('../pages/shell.sh', import.meta.url), 'utf8')

test.each(pagesWithShell)('%s', async (page) => {
  const directory = join(folder, page)
  mkdirSync(directory, { recursive: true })
  writeNamedBlocks(page, directory)
  const { setup, blocks } = shellOf(page)
  expect(blocks).not.toEqual([])
  const code = `cd '${directory}'\n${functions}\n${setup}\n${blocks.join('\n')}`
  const { exitCode, output } = await runExample({ language: 'sh', code }, directory, 120_000)
  expect(exitCode, output).toBe(0)
})
