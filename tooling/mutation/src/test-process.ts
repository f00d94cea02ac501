/**
 * @module A process that loads mutated sources and their tests once, and then says of one mutant after the other whether a
 * test notices it. `MUTATION` has the files, and the mutant that is active from the start, if any.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mutant } from './mutant.ts'
import { mutate } from './mutate.ts'

export interface Assignment {
  readonly root: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly active: number | undefined
}

/** What the parent asks: run these tests while this mutant is active. */
export interface Question {
  readonly mutant: number
  readonly tests: readonly number[]
}

export type Message =
  | {
      readonly kind: 'ready'
      readonly mutants: readonly Mutant[]
      readonly tests: readonly string[]
      /** By test: mutants that it reaches. */
      readonly reached: readonly (readonly number[])[]
      /** By test, in milliseconds. */
      readonly durations: readonly number[]
      /** Reached while files are loaded. */
      readonly atStart: readonly number[]
      readonly failures: readonly string[]
    }
  | { readonly kind: 'verdict'; readonly mutant: number; readonly killedBy: string | undefined }

const assignment = JSON.parse(process.env['MUTATION'] ?? '{}') as Assignment
const mutants: Mutant[] = []
let active = assignment.active
let reached = new Set<number>()

Object.assign(globalThis, {
  mutant: (id: number) => {
    reached.add(id)
    return id === active
  },
})

const shim = new URL('./collected-tests.ts', import.meta.url).href
const sources = new Map(assignment.sources.map((path, i) => [pathToFileURL(path).href, i]))
registerHooks({
  resolve: (specifier, context, next) => {
    const isForTests = specifier === 'vitest' && context.parentURL !== shim
    return isForTests ? { url: shim, shortCircuit: true } : next(specifier, context)
  },
  load: (url, context, next) => {
    if (!sources.has(url)) return next(url, context)
    const path = fileURLToPath(url)
    const name = relative(assignment.root, path).split(sep).join('/')
    const mutated = mutate(readFileSync(path, 'utf8'), name, (sources.get(url) ?? 0) * 10_000)
    mutants.push(...mutated.mutants)
    const source = stripTypeScriptTypes(mutated.code)
    return { format: 'module', source, shortCircuit: true }
  },
})

const { tests } = (await import(shim)) as typeof import('./collected-tests.ts')
for (const path of assignment.tests) await import(pathToFileURL(path).href)
const atStart = [...reached]
const prepared = new Set<() => unknown>()

async function run(index: number): Promise<boolean> {
  const test = tests[index]
  if (test === undefined) return true
  try {
    for (const prepare of test.before) {
      if (!prepared.has(prepare)) await prepare()
      prepared.add(prepare)
    }
    await test.run()
    return true
  } catch {
    return false
  }
}

function send(message: Message): void {
  process.send?.(message)
}

const reachedBy: (readonly number[])[] = []
const failures: string[] = []
const durations: number[] = []
for (const index of tests.keys()) {
  reached = new Set()
  const started = performance.now()
  if (!(await run(index))) failures.push(tests[index]?.name ?? '')
  durations.push(performance.now() - started)
  reachedBy.push([...reached])
  if (active !== undefined && failures.length > 0) break
}
send({
  kind: 'ready',
  mutants,
  tests: tests.map(({ name }) => name),
  reached: reachedBy,
  durations,
  atStart,
  failures,
})

process.on('message', async ({ mutant, tests: indexes }: Question) => {
  active = mutant
  let killedBy: string | undefined
  for (const index of indexes) {
    if (await run(index)) continue
    killedBy = tests[index]?.name
    break
  }
  active = undefined
  send({ kind: 'verdict', mutant, killedBy })
})
