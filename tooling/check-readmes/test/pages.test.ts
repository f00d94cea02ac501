/** @module The blocks of TypeScript on pages that have a setup in `pages/`: their types are checked, and they run in order. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type PageFile, pagesWithSetup, runExample, typeFaults, writePage } from '../src/index.ts'

// Starts programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** A folder where the packages of this one are found, and which version control ignores. */
const dist = fileURLToPath(new URL('../dist', import.meta.url))
mkdirSync(dist, { recursive: true })
const folder = mkdtempSync(join(dist, 'pages-'))
const pages = pagesWithSetup.map((page) => ({
  page,
  directory: join(folder, page),
  files: writePage(page, join(folder, page)),
}))

const generated = ['actions.ts', 'schema.ts', 'database.ts', 'engine-schema.ts']

beforeAll(async () => {
  const [first = ''] = pages.map(({ directory }) => directory)
  await run(first, "await import('./generate.ts')")
  for (const { directory } of pages.slice(1)) {
    for (const name of generated) {
      writeFileSync(join(directory, name), readFileSync(join(first, name)))
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(directory: string, code: string): Promise<void> {
  const { exitCode, output } = await runExample({ language: 'ts', code }, directory, 120_000)
  expect(exitCode, output).toBe(0)
}

test('the types of all blocks', async () => {
  expect(await typeFaults(folder)).toBe('')
})

test.each(pages)('$page', ({ directory, files }) => run(directory, programOf(files)))

/** The setup of a page may have `close`, for what would keep the process alive. */
function programOf(files: readonly PageFile[]): string {
  const imports = files
    .filter(({ isProgram }) => isProgram)
    .map(({ name }) => `await import('./${name}')\n`)
  return `const setup = await import('./setup.ts')\n${imports.join('')}await setup.close?.()\n`
}
