import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildPackages, packPackage, publishablePackages } from '../src/index.ts'
import packedSizes from './packed-sizes.json' with { type: 'json' }

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const packages = publishablePackages()

/** What each package had when that was last looked at: see docs/performance.md. */
const packedKilobytes: ReadonlyMap<string, number> = new Map(Object.entries(packedSizes))

beforeAll(() => buildPackages(packages))

test('there is something to publish', () => {
  expect(packages.map(({ name }) => name)).toContain('@engine/core')
})

describe.each(packages)('$name as packed', (workspacePackage) => {
  let tarball: string
  let files: readonly string[]

  beforeAll(async () => {
    tarball = await packPackage(workspacePackage)
    files = (await run('tar', ['-tzf', tarball])).stdout.trim().split('\n')
  })
  afterAll(async () => {
    if (tarball) await rm(dirname(tarball), { recursive: true })
  })

  test('publint finds nothing to say', async () => {
    const { buffer } = new Uint8Array(await readFile(tarball))
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  test('its types resolve in every way that ESM is imported', async () => {
    const attw = dirname(require.resolve('@arethetypeswrong/cli/package.json'))
    const words = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color']
    expect(await complaintOf([join(attw, 'dist', 'index.js'), ...words])).toBe('')
  })

  test('it has a README and the licence', () => {
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE']))
  })

  test('it is not twice as large as it was', async () => {
    const { length } = await readFile(tarball)
    expect(length).toBeLessThan(2_000 * (packedKilobytes.get(workspacePackage.name) ?? 0))
  })

  test('it has no tests and no leftovers of a build', () => {
    expect(files.filter((file) => /\.test\.|\.tsbuildinfo$|\/test\//.test(file))).toEqual([])
  })
})

/** The messages of a program of Node when it fails; empty when it succeeds. */
async function complaintOf(words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}` || error.message : '')
    })
  })
}
