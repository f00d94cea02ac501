import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundleStale } from '@engine/bundle'
import { repositoryRoot, type WorkspacePackage } from './workspace.ts'

/**
 * Compiles the declarations of packages and bundles their code, and pages; what is up to date is skipped, except for pages.
 *
 * @throws {Error} with the compiler's messages.
 */
export async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  const tsc = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const projects = packages.map(({ directory }) => join(directory, 'tsconfig.build.json'))
  await run([tsc, '-b', ...projects], repositoryRoot)
  await bundleStale(packages.map(({ directory }) => directory))
  for (const { directory } of packages) {
    if (!existsSync(join(directory, 'vite.config.ts'))) continue
    const vite = join(directory, 'node_modules', 'vite', 'bin', 'vite.js')
    await run([vite, 'build', '--logLevel', 'error'], directory)
  }
}

/** vitest sets NODE_ENV to `test`: a bundle would be one for development. */
function run(words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  return new Promise<void>((resolve, reject) => {
    execFile(process.execPath, words, { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}` || error.message))
      else resolve()
    })
  })
}
