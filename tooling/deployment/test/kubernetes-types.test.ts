/** @module The manifests are resources of Kubernetes as its API describes them: an unknown key, or one that is missing, is an error of the compiler. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'

// Starts the compiler: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000 })

const root = join(import.meta.dirname, '..', '..', '..')
const require = createRequire(import.meta.url)
const typesDirectory = dirname(require.resolve('kubernetes-types/package.json'))

interface Resource {
  readonly apiVersion: string
  readonly kind: string
}

/** Types of `apps/v1` are in `kubernetes-types/apps/v1`, those of `networking.k8s.io/v1` in `kubernetes-types/networking/v1`. */
function moduleOf({ apiVersion }: Resource): string {
  const [group = '', version] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['core', apiVersion]
  return `kubernetes-types/${group.replace(/\..*/, '')}/${version}`
}

/** The lines of the compiler. */
async function check(resources: readonly Resource[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-kubernetes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const lines = resources.map(
    (each, index) =>
      `export const resource${index}: import('${moduleOf(each)}').${each.kind} = ${JSON.stringify(each, undefined, 2)}\n`,
  )
  await writeFile(join(folder, 'resources.ts'), lines.join('\n'))
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
    paths: { 'kubernetes-types/*': [join(typesDirectory, '*')] },
  }
  const project = { compilerOptions, files: ['resources.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((resolve) => {
    const words = [compiler, '--pretty', 'false', '-p', folder]
    execFile(process.execPath, words, (_, stdout, stderr) => resolve(stdout + stderr))
  })
}

async function resourcesOf(name: string): Promise<readonly Resource[]> {
  const text = await readFile(join(root, 'deploy', 'kubernetes', name), 'utf8')
  return parseAllDocuments(text).map((each): Resource => each.toJS())
}

test.each(['deployment.yaml', 'service.yaml', 'network-policy.yaml'])('%s', async (name) => {
  expect(await check(await resourcesOf(name))).toBe('')
})

test('a key that does not exist is found', async () => {
  const [service] = await resourcesOf('service.yaml')
  const wrong = { ...service, spec: { port: [] } } as unknown as Resource
  expect(await check([wrong])).toMatch(/'"?port"?' does not exist/)
})
