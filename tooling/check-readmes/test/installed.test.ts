/** @module A released package alone, in an empty directory: its types hold, and the steps of its README have the results that it describes. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  checkTypes,
  createProject,
  type Project,
  publishablePackages,
  type Registry,
  releaseLocally,
  repositoryRoot,
  runInProject,
  type WorkspacePackage,
} from '@engine/check-packages'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findExamples, findImports, findInstall } from '../src/index.ts'

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

let registry: Registry

beforeAll(async () => {
  registry = await releaseLocally()
})
afterAll(() => registry?.stop())

test.each(publishablePackages())('the types and README of $name', async (published) => {
  const markdown = await readFile(join(published.directory, 'README.md'), 'utf8')
  const told = findInstall(markdown)
  expect(told, 'what its README tells to install').toContain(published.name)
  const examples = findExamples(markdown)
  const imported = examples.flatMap(({ code }) => findImports(code))
  const wanted = new Set([...(told ?? []), ...imported].filter((name) => name !== servers))
  const project = await createProject(registry, await versionsOf([...wanted], published))
  try {
    expect(await checkTypes(project, [published], [])).toEqual([])
    if (imported.includes(servers)) await linkServers(project)
    for (const { language, code, line } of examples) {
      const file = `example-${line}.${language}`
      await writeFile(join(project.directory, file), code)
      const [program, ...words] = language === 'ts' ? [process.execPath] : ['sh', '-eu']
      const { exitCode, stdout, stderr } = await runInProject(project, program, [...words, file])
      expect(exitCode, `line ${line}\n${stdout}${stderr}`).toBe(0)
    }
  } finally {
    await project.remove()
  }
})

/** Replaces the user's database in examples. */
const servers = '@engine/test-databases'

async function linkServers({ directory }: Project): Promise<void> {
  const link = join(directory, 'node_modules', servers)
  await mkdir(dirname(link), { recursive: true })
  await symlink(join(repositoryRoot, 'tooling', 'test-databases'), link)
}

/** Third-party packages in the version that this repository is tested with. */
async function versionsOf(
  names: readonly string[],
  { directory }: WorkspacePackage,
): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const versions = { ...manifest.devDependencies, ...manifest.dependencies }
  return names.map((name) =>
    name.startsWith('@engine/') || versions[name] === undefined
      ? name
      : `${name}@${versions[name]}`,
  )
}
