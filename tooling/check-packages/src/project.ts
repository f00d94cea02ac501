import { type ExecFileOptions, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from './registry.ts'

/** An empty project of a user, with some packages installed. */
export interface Project {
  /** Absolute path. */
  readonly directory: string
  /** Names of all installed packages, direct and transitive. */
  readonly installed: ReadonlySet<string>
  remove(): Promise<void>
}

/**
 * Installs packages into a new directory. With pnpm, a package can import only packages that it declares.
 *
 * @param packages in the form of `npm install`: `@engine/core`, `pg@8.23.1`.
 * @throws {Error} with the package manager's messages.
 */
export async function createProject(
  registry: Registry,
  packages: readonly string[],
  manager: PackageManager = 'pnpm',
): Promise<Project> {
  const directory = await emptyProject(registry)
  try {
    await install(registry, directory, packages, manager)
    return {
      directory,
      installed: await installedBelow(join(directory, 'node_modules')),
      remove: () => rm(directory, { recursive: true, force: true }),
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/** @returns the path of a new directory, without packages. */
export async function emptyProject(registry: Registry): Promise<string> {
  // Without symbolic links in its path, so that what programs print about it can be compared.
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'engine-install-')))
  const manifest = { name: 'example', version: '1.0.0', private: true, type: 'module' }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(directory, '.npmrc'), `@engine:registry=${registry.url}\n`)
  await writeFile(join(directory, 'pnpm-workspace.yaml'), 'packages: []\n')
  return directory
}

/**
 * Installs or updates packages in the directory of a project.
 *
 * @param options flags of the package manager.
 * @returns what the package manager printed.
 * @throws {Error} with the package manager's messages.
 */
export function install(
  registry: Registry,
  directory: string,
  packages: readonly string[],
  manager: PackageManager,
  options: readonly string[] = [],
): Promise<string> {
  const words = [...installing[manager], ...options, ...packages]
  return run(manager, words, { cwd: directory, env: registryEnvironment(registry) })
}

/** With which users install packages. */
export type PackageManager = keyof typeof installing

const installing = {
  pnpm: ['add', '--prefer-offline', '--reporter', 'append-only'],
  npm: ['install', '--no-audit', '--no-fund', '--loglevel', 'error'],
} as const

/** The environment of a package manager that uses the registry. A test run by npm or pnpm inherits settings of that run. */
export function registryEnvironment({ cache }: Pick<Registry, 'cache'>): NodeJS.ProcessEnv {
  const { CI: _, NODE_ENV: __, INIT_CWD: ___, ...inherited } = process.env
  return { ...inherited, XDG_CACHE_HOME: cache }
}

function run(program: string, words: readonly string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, words, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${words.join(' ')}\n${stdout}${stderr}`))
      else resolve(stdout + stderr)
    })
  })
}

/**
 * pnpm stores each package in `.pnpm/<name>@<version>/node_modules/<name>`, next to its dependencies; npm at the top.
 */
async function installedBelow(modules: string): Promise<ReadonlySet<string>> {
  const store = join(modules, '.pnpm')
  const entries = existsSync(store) ? await readdir(store) : []
  const kept = entries.map((name) => join(store, name, 'node_modules'))
  const names = await Promise.all([modules, ...kept].map(packagesIn))
  return new Set(names.flat())
}

async function packagesIn(modules: string): Promise<readonly string[]> {
  const entries = await readdir(modules).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const names = entries.filter((name) => !name.startsWith('.'))
  const nested = names.map(async (name) =>
    name.startsWith('@')
      ? (await readdir(join(modules, name))).map((inner) => `${name}/${inner}`)
      : [name],
  )
  return (await Promise.all(nested)).flat()
}
