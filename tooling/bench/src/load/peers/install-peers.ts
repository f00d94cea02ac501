/** @module Installs the peers beside the workspace: they are large, and only one comparison needs them. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const source = fileURLToPath(new URL('../../../peers', import.meta.url))
const target = fileURLToPath(
  new URL('../../../../../node_modules/.cache/engine/peers', import.meta.url),
)
const run = promisify(execFile)

/**
 * Copies `tooling/bench/peers` into the cache, installs its lockfile there, and generates the code that peers need.
 *
 * @returns the directory.
 */
export async function installPeers(): Promise<string> {
  mkdirSync(target, { recursive: true })
  cpSync(source, target, { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  await run('pnpm', ['install', '--frozen-lockfile', '--ignore-scripts'], { cwd: target })
  const quiet = '--disable-warning=ExperimentalWarning'
  await run(process.execPath, [quiet, 'prepare.mjs'], { cwd: target })
  return target
}

/** The version of a peer's package. */
export function versionOf(name: string): string {
  const manifest = JSON.parse(readFileSync(`${source}/package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return manifest.dependencies[name] ?? ''
}
