import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { bundleStale } from '@engine/bundle'
import { repositoryRoot, type WorkspacePackage } from './workspace.ts'

/**
 * Compiles the declarations of packages and bundles their code; those that are up to date are skipped.
 *
 * @throws {Error} with the compiler's messages.
 */
export async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  const tsc = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const projects = packages.map(({ directory }) => join(directory, 'tsconfig.build.json'))
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [tsc, '-b', ...projects], (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}` || error.message))
      else resolve()
    })
  })
  await bundleStale(packages.map(({ directory }) => directory))
}
