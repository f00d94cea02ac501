import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { publishablePackages, repositoryRoot } from '@engine/check-packages'
import { describe, expect, test, vi } from 'vitest'
import { findExamples, runExample } from '../src/index.ts'

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const groups = ['packages', 'apps', 'tooling']
const readmes = [
  repositoryRoot,
  ...groups.flatMap((group) =>
    readdirSync(join(repositoryRoot, group)).map((name) => join(repositoryRoot, group, name)),
  ),
]
  .map((directory) => join(directory, 'README.md'))
  .filter((path) => existsSync(path))
const docs = readdirSync(join(repositoryRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(repositoryRoot, 'docs', name))

const examples = [...readmes, ...docs].flatMap((path) =>
  findExamples(readFileSync(path, 'utf8'))
    .filter(({ needsInstall }) => !needsInstall)
    .map((example) => ({
      example,
      directory: dirname(path),
      place: `${relative(repositoryRoot, path)}:${example.line}`,
    })),
)

test.each(publishablePackages())('the README of $name has an example that runs', (published) => {
  expect(examples.map(({ directory }) => directory)).toContain(published.directory)
})

describe.runIf(examples.length > 0)('every example runs to its end', () => {
  test.each(examples)('$place', async ({ example, directory }) => {
    const outcome = await runExample(example, directory, 120_000)
    expect(outcome.exitCode, outcome.output).toBe(0)
  })
})
