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

const decisionIndex = 'docs/decisions/README.md'
const decisions = documents.filter(
  (path) => path.startsWith('docs/decisions/') && path !== decisionIndex,
)

test.each(decisions)(
  '%s has a title with its number, a date and a state, a context, a decision and consequences',
  (path) => {
    const text = read(path)
    const number = Number(/\/(\d{4})-/.exec(path)?.[1])
    const [title, , state] = text.split('\n')
    expect(title).toMatch(new RegExp(`^# ${number}\\. `))
    expect(state).toMatch(/^\*20\d\d-\d\d-\d\d: (?:stands(?:, .+)?|replaced by .+)\.\*$/)
    expect(text.match(/^# /gm)).toHaveLength(1)
    const parts = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.\*\*/gm)].map(([, name]) => name)
    expect(parts).toEqual(['Context', 'Decision', 'Consequences'])
  },
)

test('the index of decisions names each once, by its title', () => {
  const named = [...read(decisionIndex).matchAll(/^- \[(.+)\]\(([^)]+)\)$/gm)]
  const titles = decisions.map((path) => {
    const [title = ''] = read(path).split('\n')
    return [title.slice('# '.length), path.slice('docs/decisions/'.length)]
  })
  expect(named.map(([, title, file]) => [title, file]).toSorted()).toEqual(titles.toSorted())
})

test('decisions name files that exist', () => {
  const sources = globSync('{packages,apps,tooling}/**/*.ts', {
    cwd: root,
    exclude: (path) => /node_modules|dist$/.test(path),
  })
  const missing = decisions.flatMap((path) =>
    [...read(path).matchAll(/`([a-z][a-z0-9/.-]*\/[a-z0-9.-]+)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => /^(?:packages|apps|tooling|docs)\/|\.ts$/.test(file))
      .filter((file) => !existsSync(join(root, file)))
      .filter((file) => !sources.some((source) => source.endsWith(`/${file}`)))
      .map((file) => `${path}: ${file}`),
  )
  expect(missing).toEqual([])
})

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

/** Anchors of headings as GitHub makes them; a second one of a name gets `-1`. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = read(path).replaceAll(/```.*?```/gs, '')
  const counts = new Map<string, number>()
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  return new Set(anchors)
}

test('links to a heading of a document lead to one', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
      ([link, target = '', anchor = '']) => {
        const to = target === '' ? path : join(dirname(path), target)
        return documents.includes(to) && !anchorsOf(to).has(anchor) ? [`${path}: ${link}`] : []
      },
    ),
  )
  expect(broken).toEqual([])
})
