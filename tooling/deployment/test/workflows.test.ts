/** @module The workflows of the forge: they run what this repository has, with no more rights than they need. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Job {
  readonly needs?: string
  readonly environment?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly {
    readonly uses?: string
    readonly run?: string
    readonly env?: Readonly<Record<string, string>>
  }[]
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = ['ci', 'release'].map((name) => ({
  name,
  workflow: parse(read(join('.github', 'workflows', `${name}.yml`))) as Workflow,
}))

function stepsOf({ jobs }: Workflow): Job['steps'] {
  return Object.values(jobs).flatMap(({ steps }) => steps)
}

test.each(workflows)('$name runs scripts that package.json has', ({ workflow }) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object }
  const lines = stepsOf(workflow).flatMap(({ run = '' }) => run.split('\n'))
  const used = lines.flatMap((line) => [
    ...[...line.matchAll(/\bpnpm (?:--silent )?run ([\w-]+)/g)].map(([, script]) => script),
    ...[...line.matchAll(/\bpnpm (changeset)\b/g)].map(([, script]) => script),
    ...(/^npm test$/.test(line) ? ['test'] : []),
  ])
  expect(used).toContain('test')
  expect(used.filter((script) => script === undefined || !(script in scripts))).toEqual([])
})

test.each(workflows)('$name has a limit of time for each job', ({ workflow }) => {
  for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0)
})

test('only the job that publishes may get an identity and write', () => {
  for (const { workflow } of workflows) {
    expect(Object.values(workflow.permissions).filter((right) => right !== 'read')).toEqual([])
    for (const [name, { permissions = {} }] of Object.entries(workflow.jobs)) {
      const writes = Object.keys(permissions).filter((key) => permissions[key] === 'write')
      expect(writes).toEqual(name === 'publish' ? ['contents', 'id-token'] : [])
    }
  }
})

test('what is published was packed by a job without that right, and has provenance', () => {
  const release = workflows.find(({ name }) => name === 'release')?.workflow
  const publish = release?.jobs['publish']
  expect(publish).toMatchObject({ needs: 'pack', environment: 'npm' })
  const step = publish?.steps.find(({ run }) => run?.includes('changeset publish'))
  expect(step?.run).toBe('pnpm changeset publish --from-pack-dir release')
  expect(step?.env).toEqual({ PNPM_CONFIG_PROVENANCE: 'true' })
  const install = publish?.steps.find(({ run }) => run?.startsWith('pnpm install'))
  expect(install?.run).toContain('--ignore-scripts')
  const text = read(join('.github', 'workflows', 'release.yml'))
  expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./)
})
