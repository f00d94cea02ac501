/** @module The blocks of a page as files, beside the setup of the page and what `engine-codegen` writes. */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repositoryRoot } from '@engine/check-packages'
import { type Block, findBlocks } from './find-blocks.ts'
import { withSetup } from './with-setup.ts'

const setups = fileURLToPath(new URL('../pages', import.meta.url))
const actionPage = 'docs/actions.md'

/** The pages that have a setup, as paths in the repository: all their blocks of `ts` and `tsx` without a mark run with it. */
export const pagesWithSetup: readonly string[] = globSync('**/setup.ts', { cwd: setups })
  .map((path) => `${path.replaceAll('\\', '/').slice(0, -'/setup.ts'.length)}.md`)
  .sort()

/** A block as a file. */
export interface PageFile {
  readonly name: string
  /** It runs on Node.js: it is no JSX, and has no mark that says otherwise. */
  readonly isProgram: boolean
  readonly block: Block
}

/** Parts of recipes, which test/cookbook.test.ts runs: see `findRecipes`. */
const partOfRecipe = /^(?:permissions|callers): /

/** Blocks of a page that has a setup, without those that have a mark of their own. */
export function blocksWithSetup(page: string): readonly Block[] {
  return findBlocks(readFileSync(join(repositoryRoot, page), 'utf8')).filter(
    ({ language, mark, code }) =>
      /^tsx?$/.test(language) && /^(?:types only: .*)?$/.test(mark) && !partOfRecipe.test(code),
  )
}

/**
 * Writes a page into a folder. A block that begins with the comment `// transfer.ts` is the file of that name.
 *
 * @returns the files that run, in order
 */
export function writePage(page: string, folder: string): readonly PageFile[] {
  mkdirSync(folder, { recursive: true })
  for (const name of ['shop.ts', 'generate.ts']) cpSync(join(setups, name), join(folder, name))
  cpSync(join(setups, page.replace(/\.md$/, '')), folder, { recursive: true })
  for (const block of blocksWithSetup(actionPage)) writeNamed(block, folder)
  const setup = readFileSync(join(folder, 'setup.ts'), 'utf8')
  return blocksWithSetup(page).map((block) => {
    const name = fileName(block) ?? `line-${block.line}.${block.language}`
    writeFileSync(join(folder, name), withSetup(block.code, setup))
    return { name, block, isProgram: block.language === 'ts' && block.mark === '' }
  })
}

function writeNamed(block: Block, folder: string): void {
  const name = fileName(block)
  if (name !== undefined) writeFileSync(join(folder, name), block.code)
}

function fileName({ code }: Block): string | undefined {
  return /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1]
}

/** Faults of types in all files of a folder and those below it, as the compiler prints them. */
export async function typeFaults(folder: string): Promise<string> {
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    lib: ['es2024', 'esnext', 'dom', 'dom.iterable'],
    types: ['node'],
  }
  const base = join(repositoryRoot, 'tsconfig.base.json')
  const declarations = join(repositoryRoot, 'packages/core/src/compiler/sql/libpg-query-wasm.d.ts')
  const project = {
    extends: base,
    compilerOptions,
    include: ['**/*.ts', '**/*.tsx', declarations],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const tsc = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const words = [tsc, '--pretty', 'false', '-p', folder]
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: folder }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
