/** @module `pnpm run sbom`: what the server consists of, for programs that look for known weaknesses. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { repositoryRoot } from '../src/index.ts'

// Starts the package manager: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)

test('it has the packages of production, with versions and licences, and no others', async () => {
  const options = { cwd: repositoryRoot, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run('pnpm', ['--silent', 'run', 'sbom'], options)
  const { bomFormat, metadata, components } = JSON.parse(stdout) as {
    readonly bomFormat: string
    readonly metadata: { readonly component: unknown }
    readonly components: readonly { readonly purl: string; readonly licenses?: unknown }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  expect(metadata.component).toMatchObject({ group: '@engine', name: 'server' })
  const found = (name: string) => components.find(({ purl }) => purl.startsWith(`pkg:npm/${name}@`))
  for (const name of ['hono', 'pg', 'mysql2', 'better-sqlite3', 'libpg-query']) {
    expect(found(name), name).toMatchObject({ purl: expect.stringMatching(/@\d+\.\d+\.\d+/) })
    expect(found(name), name).toHaveProperty('licenses')
  }
  expect(found('vitest')).toBeUndefined()
})
