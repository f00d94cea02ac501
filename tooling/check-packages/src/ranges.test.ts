/** @module What published packages depend on: an application gets one copy of each package, and its security patches. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publishablePackages, repositoryRoot } from './workspace.ts'

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Dependencies of which only one version is right, by the package that has them. */
const pinned: Readonly<Record<string, readonly string[]>> = {
  // Permissions are decided on the parser's tree.
  '@engine/core': ['libpg-query'],
  // The data directory in @engine/pgwire is of this version.
  '@engine/server': ['@electric-sql/pglite'],
}

const exact = /^\d+\.\d+\.\d+$/
const range = /^(?:\^\d+\.\d+\.\d+|>=\d+(?:\.\d+){0,2} <\d+)$/

const packages = publishablePackages().map(({ name, directory }) => ({
  name,
  directory,
  manifest: readJson(join(directory, 'package.json')) as Manifest,
}))

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

interface Turbo {
  readonly tasks: { readonly build: { readonly dependsOn: readonly string[] } }
}

function buildOf(name: string): string {
  return `${name}#build`
}

/** Returns whether a package is core, or needs it. */
function usesCore(name: string): boolean {
  if (name === '@engine/core') return true
  const { dependencies = {}, peerDependencies = {} } =
    packages.find((each) => each.name === name)?.manifest ?? {}
  return Object.keys({ ...dependencies, ...peerDependencies }).some(usesCore)
}

describe.each(packages)('$name', ({ name, directory, manifest }) => {
  const { dependencies = {}, peerDependencies = {} } = manifest
  const all = Object.entries({ ...dependencies, ...peerDependencies })

  test('needs other packages of ours from the version on that is released with it', () => {
    const ours = all.filter(([each]) => each.startsWith('@engine/'))
    expect(ours.filter(([, version]) => version !== 'workspace:^')).toEqual([])
  })

  test('uses the core of the application, and the packages that use it too', () => {
    const named = Object.keys(dependencies).filter(usesCore)
    expect(named).toEqual([])
    const peers = Object.keys(peerDependencies).filter((each) => each.startsWith('@engine/'))
    expect(peers.filter((each) => !usesCore(each))).toEqual([])
  })

  test('is built after its peers: turbo knows of dependencies alone', () => {
    const peers = Object.keys(peerDependencies).filter((each) => each.startsWith('@engine/'))
    const path = join(directory, 'turbo.json')
    const turbo = existsSync(path) ? (readJson(path) as Turbo) : undefined
    const wanted = peers.length === 0 ? undefined : ['^build', ...peers.map(buildOf)]
    expect(turbo?.tasks.build.dependsOn).toEqual(wanted)
  })

  test('takes ranges of the packages of others', () => {
    const others = all.filter(([each]) => !each.startsWith('@engine/'))
    const free = others.filter(([each]) => !pinned[name]?.includes(each))
    expect(free.filter(([, version]) => !range.test(version))).toEqual([])
    for (const each of pinned[name] ?? []) expect(dependencies[each]).toMatch(exact)
  })
})

test('all packages have one version, and are released together', () => {
  const { fixed } = readJson(join(repositoryRoot, '.changeset', 'config.json')) as {
    readonly fixed: unknown
  }
  expect(fixed).toEqual([['@engine/*']])
  expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1)
})
