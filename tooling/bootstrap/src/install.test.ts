import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isWhole, progressTo, projectOf, projectsFor } from './install.mjs'
import { root } from './run-program.mjs'

const state = (filteredInstall: boolean, dev: boolean) =>
  JSON.stringify({ filteredInstall, settings: { dev, production: true } })

test('everything is installed after a run without filters, development dependencies included', () => {
  expect(isWhole(state(false, true))).toBe(true)
  expect(isWhole(state(true, true))).toBe(false)
  expect(isWhole(state(false, false))).toBe(false)
})

test('the progress of pnpm is the last one that it wrote', () => {
  const details: string[] = []
  const report = progressTo((detail) => details.push(detail))
  report('Progress: resolved 82, reused 0, downloaded 3, added 0\n')
  report(
    'Progress: resolved 82, reused 0, downloaded 9, added 7\nProgress: resolved 82, reused 0, downloaded 50, added 40\nPackages: +82\n',
  )
  report('Done in 1s\n')
  expect(details).toEqual(['40 of 82'])
})

test.each([
  ['apps/example-react/engine.config.ts', '@engine/example-react'],
  ['packages/codegen/src/main.ts', '@engine/codegen'],
  ['engine.config.ts', undefined],
  ['apps/server.ts', undefined],
  ['apps/not-in-the-lockfile/engine.config.ts', undefined],
  ['tooling/bench/src/main.ts', undefined],
  ['../elsewhere/apps/server/x.ts', undefined],
])('%s belongs to %s', (path, project) => {
  expect(projectOf(join(root, path))).toBe(project)
})

test.each([
  ['apps/example-react/server/main.ts', ['@engine/example-react']],
  ['src/client.ts', ['@engine/example-drizzle', '@engine/example-kysely']],
  ['apps/mine/client.ts', ['@engine/example-drizzle', '@engine/example-kysely']],
  ['tooling/bench/src/main.ts', undefined],
])('%s needs %j', (path, projects) => {
  expect(projectsFor(join(root, path))).toEqual(projects)
})
