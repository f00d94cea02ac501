import { execFile } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { WorkspacePackage } from './workspace.ts'

const run = promisify(execFile)

/**
 * Packs a built package as publishing does.
 *
 * @returns path of the tarball, alone in a new directory that the caller removes
 */
export async function packPackage({ directory }: WorkspacePackage): Promise<string> {
  const destination = await mkdtemp(join(tmpdir(), 'engine-pack-'))
  await run('pnpm', ['pack', '--pack-destination', destination], { cwd: directory })
  const [tarball, ...others] = await readdir(destination)
  if (tarball === undefined || others.length > 0) {
    throw new Error(`pnpm pack made ${others.length + (tarball ? 1 : 0)} files of ${directory}`)
  }
  return join(destination, tarball)
}
