/** @module A release, into a registry on loopback: versions, packing and publication are those of changesets. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createProject,
  publishablePackages,
  type Registry,
  registryEnvironment,
  releaseLocally,
} from '../src/index.ts'

// Builds, packs and publishes every package: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const packages = publishablePackages()
let registry: Registry

beforeAll(async () => {
  registry = await releaseLocally('@engine/adapters-sqlite')
})
afterAll(() => registry?.stop())

interface Described {
  readonly 'dist-tags': { readonly latest: string }
  readonly versions: Readonly<Record<string, Manifest>>
}

interface Manifest {
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

async function describeReleased(name: string): Promise<Described> {
  const response = await fetch(`${registry.url}${encodeURIComponent(name)}`)
  expect(response.status, name).toBe(200)
  return (await response.json()) as Described
}

test('every package is released, in one version', async () => {
  const released = await Promise.all(packages.map(({ name }) => describeReleased(name)))
  const versions = released.map((each) => each['dist-tags'].latest)
  expect(new Set(versions).size).toBe(1)
  expect(versions[0]).toMatch(/^\d+\.\d+\.\d+$/)
})

describe.each(packages)('$name', ({ name }) => {
  test('needs our packages from its own version on, and nothing of the workspace', async () => {
    const { 'dist-tags': tags, versions } = await describeReleased(name)
    const { dependencies, peerDependencies } = versions[tags.latest] ?? {}
    const ranges = Object.entries({ ...dependencies, ...peerDependencies })
    const ours = ranges.filter(([each]) => each.startsWith('@engine/'))
    expect(ours.filter(([, range]) => range !== `^${tags.latest}`)).toEqual([])
    const ofTheWorkspace = /^(?:workspace|catalog|file|link):/
    expect(ranges.filter(([, range]) => ofTheWorkspace.test(range))).toEqual([])
  })
})

test('a version is published once', async () => {
  const name = '@engine/contract'
  const { 'dist-tags': tags, versions } = await describeReleased(name)
  const body = {
    versions: { [tags.latest]: versions[tags.latest] },
    _attachments: { 'contract.tgz': { data: '' } },
  }
  const options = { method: 'PUT', body: JSON.stringify(body) }
  const response = await fetch(`${registry.url}${encodeURIComponent(name)}`, options)
  expect(response.status).toBe(403)
})

test('an update of one package leaves one core', async () => {
  const { 'dist-tags': tags, versions } = await describeReleased('@engine/core')
  const [first, second] = Object.keys(versions)
  expect(second).toBe(tags.latest)
  const names = ['@engine/core', '@engine/adapters-sqlite', '@engine/http']
  const before = names.map((name) => `${name}@${first}`)
  const { directory, remove } = await createProject(registry, before, 'npm')
  try {
    const words = ['install', '--no-audit', '--no-fund', '@engine/adapters-sqlite@latest']
    const options = { cwd: directory, env: registryEnvironment(registry) }
    await promisify(execFile)('npm', words, options)
    const cores = globSync('node_modules/**/@engine/core/package.json', { cwd: directory })
    const installed = cores.map((path) => readFileSync(join(directory, path), 'utf8'))
    expect(installed.map((text) => JSON.parse(text).version)).toEqual([tags.latest])
  } finally {
    await remove()
  }
})
