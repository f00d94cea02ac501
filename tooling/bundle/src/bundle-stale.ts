/** @module Bundles what has changed: a start without changes does not load the bundler. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, repositoryRoot } from './published-packages.ts'

const records = join(repositoryRoot, 'node_modules', '.cache', 'engine', 'bundles')

/** What a bundle was made from, and its files. */
interface BundleRecord {
  readonly inputs: string
  readonly files: readonly string[]
}

/** Bundles those of the packages whose sources, manifest or bundler have changed, or whose built files are missing. */
export async function bundleStale(directories: readonly string[]): Promise<void> {
  const stale = directories.filter((directory) => !isUpToDate(directory))
  if (stale.length === 0) return
  mkdirSync(records, { recursive: true })
  const { bundlePackage } = await import('./bundle-package.ts')
  for (const directory of stale) {
    const inputs = inputsOf(directory)
    const files = await bundlePackage(directory)
    writeFileSync(recordPath(directory), JSON.stringify({ inputs, files } satisfies BundleRecord))
  }
}

function isUpToDate(directory: string): boolean {
  const path = recordPath(directory)
  if (!existsSync(path)) return false
  const { inputs, files } = JSON.parse(readFileSync(path, 'utf8')) as BundleRecord
  const isComplete = files.every((name) => existsSync(join(directory, 'dist', name)))
  return isComplete && inputs === inputsOf(directory)
}

function recordPath(directory: string): string {
  return join(records, `${readManifest(directory).name.replaceAll(/[@/]/g, '_')}.json`)
}

/** A digest of the size and time of every file that decides about a bundle. */
function inputsOf(directory: string): string {
  const own = filesIn(directory, '{package.json,src/**/*.{ts,json}}')
  const bundler = filesIn(join(import.meta.dirname, '..'), '{package.json,src/*.ts}')
  const digest = createHash('sha256')
  for (const path of [...own, ...bundler].sort()) {
    const { size, mtimeMs } = statSync(path)
    digest.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return digest.digest('base64url')
}

function filesIn(directory: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: directory }).map((path) => join(directory, path))
}
