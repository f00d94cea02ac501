import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foldersInCircles, importsUpwards } from './faults.ts'
import { floorsOfCore, packagesWithoutCircles } from './floors.ts'
import { betweenFolders, importsOf, readImports } from './import-graph.ts'
import { filesOfEveryAdapter, outsideOfLayout } from './layout.ts'

const root = join(import.meta.dirname, '..', '..', '..')

test('no floor of core imports from one above it', () => {
  const imports = readImports(join(root, 'packages/core/src'))
  expect(imports.length).toBeGreaterThan(1_000)
  expect(importsUpwards(imports, floorsOfCore)).toEqual([])
})

test('every folder of core is on a floor', () => {
  const folders = globSync('*', { cwd: join(root, 'packages/core/src') })
  expect(folders.toSorted()).toEqual(floorsOfCore.toSorted())
})

test.each(packagesWithoutCircles)('the folders of %s import in one direction', (path) => {
  const imports = betweenFolders(readImports(join(root, path, 'src')))
  expect(foldersInCircles(imports)).toEqual([])
})

test.each(globSync('adapters-*', { cwd: join(root, 'packages') }))(
  '%s has the layout of an adapter',
  (adapter) => {
    const files = globSync('**/*.ts', { cwd: join(root, 'packages', adapter, 'src') })
    const names = [...new Set(files.map((file) => file.replace(/\/.*/, '')))]
    expect(names).toEqual(expect.arrayContaining([...filesOfEveryAdapter]))
    expect(outsideOfLayout(adapter, names)).toEqual([])
  },
)

test('a file beside the layout is found', () => {
  const names = ['adapter.ts', 'compile.test.ts', 'helpers.ts', 'driver', 'functions']
  expect(outsideOfLayout('adapters-postgres', names)).toEqual(['helpers.ts', 'functions'])
})

test('an import of types from a higher floor is found', () => {
  const text = `/** @module x */
import type { Engine } from '../engine/engine.ts'
export {
  a,
  type B,
} from './b.ts'
import { c } from 'package'
`
  const imports = importsOf(text, 'runtime/a.ts')
  expect(imports).toEqual([
    { from: 'runtime/a.ts', to: 'engine/engine.ts' },
    { from: 'runtime/a.ts', to: 'runtime/b.ts' },
  ])
  expect(importsUpwards(imports, floorsOfCore)).toEqual(['runtime/a.ts imports engine/engine.ts'])
  expect(importsUpwards([{ from: 'attic/a.ts', to: 'runtime/b.ts' }], floorsOfCore)).toHaveLength(1)
})

test('a circle over three folders is found, and what leads to it is not', () => {
  const imports = [
    { from: 'a/1.ts', to: 'b/1.ts' },
    { from: 'b/2.ts', to: 'c/1.ts' },
    { from: 'c/2.ts', to: 'a/2.ts' },
    { from: 'd/1.ts', to: 'a/1.ts' },
  ]
  expect(foldersInCircles(imports)).toEqual([
    'a imports from b',
    'b imports from c',
    'c imports from a',
  ])
})

test('the compiler has no I/O and no clock', () => {
  const compiler = join(root, 'packages/core/src/compiler')
  const impure = globSync('**/*.ts', { cwd: compiler })
    .filter((file) => !/\.test\.ts$|test-support\//.test(file))
    .filter((file) => hasEffects(readFileSync(join(compiler, file), 'utf8')))
  expect(impure).toEqual([])
})

test.each([
  "import { readFileSync } from 'node:fs'",
  'const startMs = performance.now()',
  'const nowMs = Date.now()',
  'const now = new Date()',
  'setTimeout(stop, 10)',
  'const mode = process.env.NODE_ENV',
  'const id = Math.random()',
])('an effect is found: %s', (line) => {
  expect(hasEffects(line)).toBe(true)
})

/** Returns whether a source text uses a module of Node, a clock, a timer, the process or random numbers. */
function hasEffects(text: string): boolean {
  return /from 'node:|\bperformance\.|\bDate\.now\b|\bnew Date\(\)|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\.|\bMath\.random\b|\bfetch\(/.test(
    text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
  )
}
