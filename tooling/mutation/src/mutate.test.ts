import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { mutate } from './mutate.ts'

/** Runs a module with one of its mutants active, or with none, and returns the result of its `run`. */
async function run(source: string, active?: number): Promise<unknown> {
  const { code } = mutate(source, 'a.ts', 0)
  const script = stripTypeScriptTypes(code).replace('export', '')
  const call = new Function('mutant', `${script}; return run()`) as (
    mutant: (id: number) => boolean,
  ) => unknown
  return call((id) => id === active)
}

/** The results of a function with each of its mutants. */
async function results(source: string): Promise<readonly (readonly [string, unknown])[]> {
  const { mutants } = mutate(source, 'a.ts', 0)
  const found: (readonly [string, unknown])[] = []
  for (const { id, replacement } of mutants) found.push([replacement, await run(source, id)])
  return found
}

test('a module in which no mutant is active does what it did', async () => {
  const source = `export function run(): unknown {
    const list: readonly number[] = [3, 1, 2]
    let text: string | undefined
    switch (list.length as number) {
      case 3:
        text = list.filter((n) => n > 1 || n === 0).toSorted().join('-')
    }
    return { text, at: text?.at(-1)?.length ?? 0, no: !text, some: list.some((n) => n >= 3) }
  }`
  expect(await run(source)).toEqual({ text: '2-3', at: 1, no: false, some: true })
  expect(mutate(source, 'a.ts', 0).mutants.length).toBeGreaterThan(20)
})

test.each<[string, readonly (readonly [string, unknown])[]]>([
  [
    '1 < 2',
    [
      ['true', true],
      ['false', false],
      ['1 <= 2', true],
      ['1 >= 2', false],
    ],
  ],
  [
    '[1].length === 1',
    [
      ['true', true],
      ['false', false],
      ['[1].length !== 1', false],
      ['[]', false],
    ],
  ],
  [`'a'`, [[`''`, '']]],
  [`'for people to read'`, []],
  [
    '[1, 2].every((n) => n > 1)',
    [
      ['[1, 2].some((n) => n > 1)', true],
      ['[]', true],
      ['() => undefined', false],
      ['true', true],
      ['false', false],
      ['n >= 1', true],
      ['n <= 1', false],
    ],
  ],
])('%s', async (expression, expected) => {
  const [, ...inside] = await results(`export function run() { return ${expression} }`)
  expect(inside).toEqual(expected)
})

test('types, names and imports are left alone', () => {
  const source = `import { a } from 'a'
    type T = 'x' | true
    interface I { readonly kind: 'y' }
    const known: Record<string, 'z'> = a`
  expect(mutate(source, 'a.ts', 0).mutants).toEqual([])
})

test('mutants know their place, and which of its like they are', () => {
  const { mutants } = mutate(`const a = 'x'\nconst b = 'x'`, 'dir/a.ts', 10_000)
  expect(mutants).toEqual([
    {
      id: 10_000,
      file: 'dir/a.ts',
      line: 1,
      operator: 'text',
      original: `'x'`,
      replacement: `''`,
      nth: 1,
    },
    {
      id: 10_001,
      file: 'dir/a.ts',
      line: 2,
      operator: 'text',
      original: `'x'`,
      replacement: `''`,
      nth: 2,
    },
  ])
})
