/** @module A release, into a registry on loopback: versions, packing and publication are those of changesets. */
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createProject,
  emptyProject,
  install,
  publishablePackages,
  type ReleaseRegistry,
  releaseLocally,
  runFile,
} from '../src/index.ts'

// Builds, packs and publishes every package: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 900_000 })

const packages = publishablePackages()
const sqliteProgram = join(import.meta.dirname, 'programs', 'sqlite.ts')
let registry: ReleaseRegistry

beforeAll(async () => {
  registry = await releaseLocally()
})
afterAll(() => registry?.stop())

interface Described {
  readonly 'dist-tags': { readonly latest: string }
  readonly versions: Readonly<Record<string, Manifest>>
}

interface Manifest {
  readonly version: string
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

// What is installed is what the lockfile has: writing it takes a second, installing half a minute.
describe('an application, after later releases', () => {
  const managers = [
    { manager: 'npm', lockOnly: '--package-lock-only' },
    { manager: 'pnpm', lockOnly: '--lockfile-only' },
  ] as const
  /** The packages that applications name. The first is updated alone. */
  const named = [
    ['@engine/adapters-sqlite', '@engine/core', '@engine/http'],
    ['@engine/adapters-csv'],
    ['@engine/server'],
    ['@engine/server', '@engine/adapters-sqlite', '@engine/client', '@engine/core'],
  ]
  const applications = managers.flatMap((each) =>
    named.map((names) => ({ ...each, names, title: `${each.manager}: ${names.join(', ')}` })),
  )
  const directories = new Map<string, string>()

  // They are installed while there is one version.
  beforeAll(async () => {
    for (const { title, names, manager, lockOnly } of applications) {
      const directory = await emptyProject(registry)
      directories.set(title, directory)
      await install(registry, directory, names, manager, [lockOnly])
    }
    await registry.releaseAgain({ changed: '@engine/adapters-sqlite', bump: 'patch' })
    await registry.releaseAgain({ changed: '@engine/adapters-sqlite', bump: 'minor' })
  })
  afterAll(async () => {
    for (const directory of directories.values()) await rm(directory, { recursive: true })
  })

  test.each(applications)('$title: there is one core', async ({ title, names, ...application }) => {
    const { manager, lockOnly } = application
    const directory = directories.get(title) ?? ''
    const add = (packages: readonly string[]): Promise<string> =>
      install(registry, directory, packages, manager, [lockOnly])
    const { versions } = await describeReleased('@engine/core')
    const [first, patch, minor] = Object.keys(versions)
    expect(coresIn(directory)).toEqual([first])

    await add([`${names[0]}@${patch}`])
    expect(coresIn(directory)).toHaveLength(1)

    // npm refuses a minor version before 1.0 beside those of another, pnpm warns.
    const update = await add([`${names[0]}@${minor}`]).catch(String)
    if (names.length > 1) expect(update).toMatch(/ERESOLVE|Issues with peer dependencies/)
    expect(coresIn(directory)).toHaveLength(1)

    await add(names.map((name) => `${name}@${minor}`))
    expect(coresIn(directory)).toEqual([minor])
  })

  test('a mixture that pnpm installs with a warning does not start', async () => {
    const [first, , minor] = Object.keys((await describeReleased('@engine/core')).versions)
    const names = [`@engine/core@${first}`, `@engine/adapters-sqlite@${minor}`]
    const project = await createProject(registry, names)
    onTestFinished(project.remove)
    const { exitCode, stderr } = await runFile(project, sqliteProgram)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(
      `@engine/adapters-sqlite ${minor} does not work with @engine/core ${first}. Update all packages of @engine together`,
    )
  })
})

/** The versions of core in a project, as its lockfile has them. */
function coresIn(directory: string): readonly string[] {
  const path = join(directory, 'package-lock.json')
  if (existsSync(path)) {
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly packages: Readonly<Record<string, Manifest>>
    }
    const cores = Object.entries(packages).filter(([at]) => /(?:^|\/)@engine\/core$/.test(at))
    return cores.map(([, { version }]) => version)
  }
  // A package is there once for each set of peers that it has.
  const text = readFileSync(join(directory, 'pnpm-lock.yaml'), 'utf8')
  const [, snapshots = ''] = text.split(/^snapshots:$/m)
  return [...snapshots.matchAll(/^ {2}'@engine\/core@([\d.]+)[^']*':/gm)].map(
    ([, version = '']) => version,
  )
}
