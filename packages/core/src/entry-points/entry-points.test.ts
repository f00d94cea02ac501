import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface ExportedName {
  readonly name: string
  /** The file that the entry point exports it from: relative to the entry point, or a package. */
  readonly from: string
}

function namesOf(entryPoint: string): readonly ExportedName[] {
  const text = readFileSync(join(import.meta.dirname, `${entryPoint}.ts`), 'utf8')
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']*)'$/gm)
  return [...lists].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => ({ name, from })),
  )
}

/** Is there a doc comment above the declaration? */
function isDocumented({ name, from }: ExportedName): boolean {
  const text = readFileSync(join(import.meta.dirname, from), 'utf8')
  const declaration = new RegExp(
    `\\*/\\nexport (?:async )?(?:function|const|interface|type|class) ${name}\\b`,
  )
  return declaration.test(text)
}

const entryPoints = [
  'application',
  'adapter',
  'server',
  'catalog',
  'driver',
  'print',
  'session',
  'store',
  'tree',
  'values',
]

test.each(entryPoints)('the names of %s', async (entryPoint) => {
  const names = namesOf(entryPoint).map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  const list = `${names.toSorted().join('\n')}\n`
  await expect(list).toMatchFileSnapshot(`names-of-${entryPoint}.txt`)
})

test('every entry point of the package has a list of names', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(files.toSorted()).toEqual(entryPoints.map((name) => `${name}.ts`).toSorted())
  const manifest = join(dirname(dirname(import.meta.dirname)), 'package.json')
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'))
  const [, ...others] = entryPoints
  const doors = ['.', ...others.map((name) => `./${name}`), './package.json']
  expect(Object.keys(exports)).toEqual(doors)
})

test('an application finds at most 75 names, all of them documented', () => {
  const names = namesOf('application')
  expect(names.length).toBeLessThanOrEqual(75)
  const undocumented = names.filter((name) => name.from.startsWith('.') && !isDocumented(name))
  expect(undocumented).toEqual([])
})
