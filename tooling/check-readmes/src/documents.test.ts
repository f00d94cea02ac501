import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const documents = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,packages,apps,tooling}/**/*.md', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).filter((path) => !/node_modules|CHANGELOG|\/dist\//.test(path)),
]

const decisions = documents.filter((path) => path.startsWith('docs/decisions/'))

test.each(decisions)(
  '%s has a title with its number, a context, a decision and consequences',
  (path) => {
    const text = read(path)
    const number = Number(/\/(\d{4})-/.exec(path)?.[1])
    expect(text.split('\n')[0]).toMatch(new RegExp(`^# ${number}\\. `))
    expect(text.match(/^# /gm)).toHaveLength(1)
    const parts = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.\*\*/gm)].map(([, name]) => name)
    expect(parts).toEqual(['Context', 'Decision', 'Consequences'])
  },
)

/** Paths in backticks that end in `.ts`; those without a package belong to core. */
function filesNamedIn(text: string): readonly string[] {
  return [...text.matchAll(/`([a-z][a-z0-9/.-]+\/[a-z0-9-]+\.ts)`/g)].map(([, path = '']) =>
    /^(?:packages|apps|tooling|docs)\//.test(path) ? path : `packages/core/src/${path}`,
  )
}

test('ARCHITECTURE.md names files that exist', () => {
  const ofEachAdapter = 'packages/core/src/src/compile.ts'
  const named = filesNamedIn(read('ARCHITECTURE.md')).filter((path) => path !== ofEachAdapter)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test.each(globSync('docs/how-to/*.md', { cwd: root }))('%s names files that exist', (path) => {
  const named = [...read(path).matchAll(/`((?:packages|apps|tooling|docs)\/[^`*<{ ]+)`/g)]
  const missing = named.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)))
  expect(missing).toEqual([])
})

test.each(documents)('the relative links of %s lead somewhere', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
  const broken = links
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(path), target)))
  expect(broken).toEqual([])
})
