/** @module The administrator's pages as they are published; files of tests share a build while its sources are the same. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type AdminSite, serveAdmin } from '@engine/admin'

const run = promisify(execFile)

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const pages = join(root, 'packages', 'admin')
const builds = join(root, 'node_modules', '.cache', 'engine', 'admin-sites')

/** Everything that decides about a build: the pages, what they import, and their dependencies. */
const sources = [
  'packages/admin/{package.json,vite.config.ts,src/page/**}',
  'packages/contract/{package.json,src/**}',
  'pnpm-lock.yaml',
]

export interface BuiltSite {
  readonly directory: string
  readonly site: AdminSite
}

/** The built pages; they are built where a source has changed. */
export async function builtSite(): Promise<BuiltSite> {
  const digest = digestOfSources()
  const directory = join(builds, digest)
  if (!existsSync(directory)) {
    const built = await build()
    // A source was edited while it was read.
    if (digestOfSources() !== digest) {
      rmSync(built, { recursive: true })
      return builtSite()
    }
    keep(built, directory)
  }
  const site = serveAdmin({ directory })
  if (site === undefined) throw new Error('the build has no page')
  return { directory, site }
}

/** @param more arguments of `vite build`. */
export async function runVite(more: readonly string[]): Promise<void> {
  const vite = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')))
  // vitest sets NODE_ENV to `test`: a build would be one for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  await run(process.execPath, [vite, 'build', '--logLevel', 'error', ...more], { cwd: pages, env })
}

/** Several processes may build at once: each builds into a directory of its own. @returns its path. */
async function build(): Promise<string> {
  mkdirSync(builds, { recursive: true })
  removeOldBuilds()
  const directory = join(builds, randomUUID())
  await runVite(['--outDir', directory])
  return directory
}

/** The first build that ends is used by all. */
function keep(built: string, directory: string): void {
  try {
    renameSync(built, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
    rmSync(built, { recursive: true })
  }
}

/** Builds of yesterday's sources; one of today may be in use. */
function removeOldBuilds(): void {
  const yesterdayMs = Date.now() - 24 * 60 * 60 * 1_000
  for (const name of readdirSync(builds)) {
    const path = join(builds, name)
    if (statSync(path).mtimeMs < yesterdayMs) rmSync(path, { recursive: true, force: true })
  }
}

function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) {
    if (!statSync(join(root, path)).isFile()) continue
    digest.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return digest.digest('hex').slice(0, 32)
}
