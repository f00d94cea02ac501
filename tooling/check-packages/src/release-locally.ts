import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackages } from './build-packages.ts'
import { registryEnvironment } from './project.ts'
import { type Registry, startRegistry } from './registry.ts'
import { publishablePackages, repositoryRoot, type WorkspacePackage } from './workspace.ts'

const run = promisify(execFile)

/** A release after the first. */
export interface LaterRelease {
  /** A package's name. */
  readonly changed: string
  readonly bump: 'patch' | 'minor'
}

/** A registry in which every package is released. */
export interface ReleaseRegistry extends Registry {
  /** Changes a package, and releases everything once more. */
  releaseAgain(later: LaterRelease): Promise<void>
}

/**
 * Releases every package into a registry on loopback with the commands of `.github/workflows/release.yml`: the versions
 * of the pending changesets, packed and published by changesets. The repository stays as it is: a copy is released.
 *
 * @throws {Error} with the messages of changesets.
 */
export async function releaseLocally(): Promise<ReleaseRegistry> {
  const packages = publishablePackages()
  await buildPackages(packages)
  const registry = await startRegistry([])
  const copy = await mkdtemp(join(tmpdir(), 'engine-release-'))
  const stop = async (): Promise<void> => {
    await registry.stop()
    await rm(copy, { recursive: true, force: true })
  }
  try {
    await copyRepository(copy, packages)
    await useRegistry(copy, registry)
    await release(copy, registry, 'release')
  } catch (error) {
    await stop()
    throw error
  }
  let count = 1
  return {
    ...registry,
    stop,
    releaseAgain: async ({ changed, bump }) => {
      const text = `---\n'${changed}': ${bump}\n---\n\nChanged.\n`
      await writeFile(join(copy, '.changeset', 'changed.md'), text)
      count += 1
      await release(copy, registry, `release-${count}`)
    },
  }
}

async function release(copy: string, registry: Registry, folder: string): Promise<void> {
  if (await hasChangesets(copy)) await changeset(copy, registry, ['version'])
  await changeset(copy, registry, ['pack', '--out-dir', folder])
  await changeset(copy, registry, ['publish', '--from-pack-dir', folder, '--no-git-tag'])
}

/** Published packages with what was built, and the manifests of all others. */
async function copyRepository(copy: string, packages: readonly WorkspacePackage[]): Promise<void> {
  const published = packages.map(({ directory }) => directory)
  for (const name of rootFiles) {
    await cp(join(repositoryRoot, name), join(copy, name), { recursive: true })
  }
  const links = join(copy, 'node_modules', '@engine')
  await mkdir(links, { recursive: true })
  const changesets = join('node_modules', '@changesets')
  await symlink(join(repositoryRoot, changesets), join(copy, changesets))
  for (const path of await workspacePaths()) {
    const source = join(repositoryRoot, path)
    const target = join(copy, path)
    if (published.includes(source)) {
      const filter = (file: string): boolean => basename(file) !== 'node_modules'
      await cp(source, target, { recursive: true, filter })
    } else await cp(join(source, 'package.json'), join(target, 'package.json'))
    // pnpm looks up the versions behind `workspace:^` in what is installed.
    await mkdir(join(target, 'node_modules'), { recursive: true })
    await symlink(links, join(target, 'node_modules', '@engine'))
    await symlink(target, join(links, basename(path)))
  }
}

const rootFiles = [
  '.changeset',
  '.npmrc',
  'LICENSE',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
]

/** `packages/core`: as `pnpm-workspace.yaml` has them. */
async function workspacePaths(): Promise<readonly string[]> {
  const { stdout } = await run('git', ['ls-files', '*/*/package.json'], { cwd: repositoryRoot })
  const paths = stdout.trim().split('\n').map(dirname)
  return paths.filter((path) => /^(?:packages|tooling|apps)\/[^/]+$/.test(path))
}

/** A registry takes publications of those who have signed in: this one of everybody. */
async function useRegistry(copy: string, { url }: Registry): Promise<void> {
  const address = url.slice(url.indexOf('//'))
  const lines = [`@engine:registry=${url}`, `${address}:_authToken=anything`]
  await appendFile(join(copy, '.npmrc'), `\n${lines.join('\n')}\n`)
}

async function hasChangesets(copy: string): Promise<boolean> {
  const files = await readdir(join(copy, '.changeset'))
  return files.some((name) => name.endsWith('.md') && name !== 'README.md')
}

interface Failure {
  readonly stdout?: string
  readonly stderr?: string
}

async function changeset(cwd: string, registry: Registry, words: readonly string[]): Promise<void> {
  const program = join(repositoryRoot, 'node_modules', '@changesets', 'cli', 'bin.js')
  const options = { cwd, env: registryEnvironment(registry), maxBuffer: 64 * 1024 * 1024 }
  await run(process.execPath, [program, ...words], options).catch((error: Failure) => {
    const { stdout = '', stderr = '' } = error
    throw new Error(`changeset ${words.join(' ')}\n${stdout}${stderr}`, { cause: error })
  })
}
