/** @module Pages whose blocks of shell run in one session, after a setup. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, findBlocks } from './find-blocks.ts'
import { readPage } from './user-pages.ts'

const setups = fileURLToPath(new URL('../pages', import.meta.url))

/** As paths in the repository: all their blocks of `sh` without a mark run. */
export const pagesWithShell: readonly string[] = globSync('**/setup.sh', { cwd: setups })
  .map((path) => `${path.replaceAll('\\', '/').slice(0, -'/setup.sh'.length)}.md`)
  .sort()

/** Addresses of a server on the pages. */
const addresses = /http:\/\/127\.0\.0\.1:3001|https:\/\/data\.example\.com/g

/** The setup of a page, and its blocks for the server that the setup starts. */
export function shellOf(page: string): {
  readonly setup: string
  readonly blocks: readonly string[]
} {
  const path = join(setups, page.replace(/\.md$/, ''), 'setup.sh')
  const blocks = findBlocks(readPage(page)).filter(isInSession)
  return {
    setup: readFileSync(path, 'utf8'),
    blocks: blocks.map(({ code }) => code.replaceAll(addresses, '$URL')),
  }
}

/** A block that only installs needs a registry: test/installed.test.ts. */
function isInSession({ language, mark, code }: Block): boolean {
  return language === 'sh' && mark === '' && !isInstall(code)
}

/** Whether every line installs packages. */
export function isInstall(code: string): boolean {
  return code.split('\n').every((line) => line === '' || /^npm install [^&|]*$/.test(line))
}

/** Blocks of a page that begin with a comment such as `// transfer.ts` become files of that name. */
export function writeNamedBlocks(page: string, folder: string): void {
  for (const { code } of findBlocks(readPage(page))) {
    const name = /^\/\/ ([\w.-]+\.ts)\n/.exec(code)?.[1]
    if (name !== undefined) writeFileSync(join(folder, name), code)
  }
}
