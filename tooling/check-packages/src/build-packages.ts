import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { bundleStale } from '@engine/bundle'
import { buildPages } from './build-pages.ts'
import { repositoryRoot, type WorkspacePackage } from './workspace.ts'

/**
 * Compiles the declarations of packages and bundles their code, and pages; what is up to date is skipped.
 *
 * @throws {Error} with the compiler's messages.
 */
export async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  const tsc = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const projects = packages.map(({ directory }) => join(directory, 'tsconfig.build.json'))
  await run([tsc, '-b', ...projects], repositoryRoot)
  await bundleStale(packages.map(({ directory }) => directory))
  for (const { directory } of packages) await buildPages(directory)
}

/** The compiler. */
function run(words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  return new Promise<void>((resolve, reject) => {
    execFile(process.execPath, words, { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}` || error.message))
      else resolve()
    })
  })
}
