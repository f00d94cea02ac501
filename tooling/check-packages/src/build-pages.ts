/** @module Pages of packages, built by vite: again when what they are made of has changed, by one process at a time. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryRoot } from './workspace.ts'

const records = join(repositoryRoot, 'node_modules', '.cache', 'engine', 'pages')

/** A build takes some seconds: a lock that is older was left by a process that was killed. */
const longestBuildMs = 120_000

/**
 * Builds the pages of a package that has a `vite.config.ts`, unless they are up to date. Test files that run at the same time
 * pack these pages: none may find them half built.
 *
 * @throws {Error} with vite's messages.
 */
export async function buildPages(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'vite.config.ts'))) return
  await mkdir(records, { recursive: true })
  const record = join(records, `${basename(directory)}.txt`)
  const unlock = await lock(`${record}.lock`)
  try {
    const inputs = digestOf(directory)
    const isBuilt = existsSync(join(directory, 'dist', 'site', 'index.html'))
    if (isBuilt && existsSync(record) && readFileSync(record, 'utf8') === inputs) return
    await rm(record, { force: true })
    await build(directory)
    writeFileSync(record, inputs)
  } finally {
    await unlock()
  }
}

/** Waits until no other process has the lock. @returns what gives it back. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await mkdir(path)
      return () => rm(path, { recursive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > longestBuildMs) await rm(path, { recursive: true, force: true })
    else await sleep(100)
  }
}

/** A digest of the size and time of every file that decides about the pages: those of the packages that they import too. */
function digestOf(directory: string): string {
  const digest = createHash('sha256')
  const own = globSync('{package.json,vite.config.ts,src/**/*.*}', { cwd: directory })
  const imported = globSync('packages/{client,contract,core}/src/**/*.ts', { cwd: repositoryRoot })
  const paths = [
    join(repositoryRoot, 'pnpm-lock.yaml'),
    ...own.map((name) => join(directory, name)),
    ...imported.map((name) => join(repositoryRoot, name)),
  ]
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path)
    digest.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return digest.digest('base64url')
}

/** vitest sets NODE_ENV to `test`: a bundle would be one for development. */
function build(directory: string): Promise<void> {
  const vite = join(directory, 'node_modules', 'vite', 'bin', 'vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  const options = { cwd: directory, env }
  return new Promise<void>((resolve, reject) => {
    execFile(
      process.execPath,
      [vite, 'build', '--logLevel', 'error'],
      options,
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${stdout}${stderr}` || error.message))
        else resolve()
      },
    )
  })
}
