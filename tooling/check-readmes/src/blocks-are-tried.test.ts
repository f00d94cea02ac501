/** Every block of code that users read is tried, or says why it is not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect as csv } from '@engine/adapters-csv'
import { connect as sqlite } from '@engine/adapters-sqlite'
import { publishablePackages, repositoryRoot } from '@engine/check-packages'
import { configurationOptions } from '@engine/core/server'
import { expect, test } from 'vitest'
import { type Block, findBlocks } from './find-blocks.ts'
import { findConfigurations } from './find-configurations.ts'
import { findInstall } from './find-install.ts'
import { pagesWithSetup } from './page-folder.ts'
import { isInstall, pagesWithShell } from './shell-pages.ts'
import { readPage, userPages } from './user-pages.ts'

/** Pages that have a test of their own, which runs them as a whole. */
const ownTests: ReadonlyMap<string, string> = new Map([
  ['README.md', 'apps/server/test/process/demo.test.ts'],
  ['docs/getting-started.md', 'apps/server/test/process/getting-started.test.ts'],
])

const marks =
  /^(?:runnable(?: when installed)?|host: [\w.-]+|file: [\w.-]+|(?:not run|types only): .+)$/

/** Languages of what is read and not run: output, SQL of a database, files of other programs. */
const readOnly = new Set(['', 'sql', 'plsql', 'yaml', 'ini', 'json'])

function isTried(page: string, block: Block): boolean {
  if (block.mark !== '') return marks.test(block.mark)
  if (readOnly.has(block.language)) return true
  if (block.language === 'sh') return pagesWithShell.includes(page) || isInstall(block.code)
  return (
    pagesWithSetup.includes(page) ||
    /^(?:permissions|callers): /.test(block.code) ||
    configurationsOf(page).has(block.line)
  )
}

const options = configurationOptions({
  '@engine/adapters-csv': csv,
  '@engine/adapters-sqlite': sqlite,
})

function configurationsOf(page: string): ReadonlySet<number> {
  return new Set(findConfigurations(readPage(page), options).map(({ line }) => line))
}

const pages = userPages.filter((page) => !ownTests.has(page) && !page.startsWith('apps/example-'))

test.each(pages)('%s', (page) => {
  const blocks = findBlocks(readPage(page))
  const untried = blocks.filter((block) => !isTried(page, block))
  expect(untried.map(({ line, code }) => `${line}: ${code.split('\n')[0]}`)).toEqual([])
})

test('JSON on the pages is JSON', () => {
  for (const page of userPages) {
    for (const { language, code } of findBlocks(readPage(page))) {
      if (language === 'json') expect(() => JSON.parse(code), page).not.toThrow()
    }
  }
})

test('packages that a page installs exist', () => {
  const published = publishablePackages().map(({ name }) => name)
  const ours = userPages.flatMap((page) => findInstall(readPage(page)) ?? [])
  const names = ours.filter((name) => name.startsWith('@engine/'))
  const missing = names.map((name) => name.replace(/@latest$/, ''))
  expect(missing.filter((name) => !published.includes(name))).toEqual([])
})

test('pages with a test of their own are named in it', () => {
  for (const [page, path] of ownTests) {
    const name = page.replace(/^.*\//, '')
    expect(readFileSync(join(repositoryRoot, path), 'utf8'), path).toContain(name)
  }
})
