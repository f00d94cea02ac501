/**
 * @module A process that loads mutated sources and their tests once, and then reports for one mutant after the other
 * whether a test notices it. Its argument lists the files.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mutant } from './mutant.ts'
import { mutate } from './mutate.ts'

export interface Assignment {
  readonly root: string
  readonly folder: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

/** The request of the parent: run these tests while this mutant is active. */
export interface Question {
  readonly mutant: number
  readonly tests: readonly number[]
  /** The mutant is reached while files are loaded: load those of the folder again. */
  readonly isLoadedAgain: boolean
}

export type Message = Ready | Verdict

export interface Ready {
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

export interface Verdict {
  readonly kind: 'verdict'
  readonly mutant: number
  /** The name of the test that noticed it. */
  readonly killedBy: string | undefined
}

const assignment = JSON.parse(process.argv[2] ?? '{}') as Assignment
const mutants: Mutant[] = []
let active: number | undefined
let reached = new Set<number>()

/** Many times more steps than the longest test needs: a mutant has made a loop endless. */
const mostCalls = 30_000_000
let calls = 0

Object.assign(globalThis, {
  mutant: (id: number) => {
    calls += 1
    if (active === undefined) reached.add(id)
    else if (calls > mostCalls) throw new Error('this goes on for ever')
    return id === active
  },
})

const shim = new URL('./collected-tests.ts', import.meta.url).href
const folder = pathToFileURL(assignment.folder).href
const sources = new Map(assignment.sources.map((path, i) => [pathToFileURL(path).href, i]))
const loaded = new Map<string, string>()

registerHooks({
  resolve: (specifier, context, next) => {
    const isForTests = specifier === 'vitest' && context.parentURL !== shim
    if (isForTests) return { url: shim, shortCircuit: true }
    const resolved = next(specifier, context)
    const [, version] = context.parentURL?.split('?') ?? []
    const isOfFolder = version !== undefined && resolved.url.startsWith(folder)
    return isOfFolder ? { ...resolved, url: `${resolved.url}?${version}` } : resolved
  },
  load: (url, context, next) => {
    const [file = url] = url.split('?')
    if (!file.startsWith(folder)) return next(url, context)
    const source = loaded.get(file) ?? compile(file)
    loaded.set(file, source)
    return { format: 'module', source, shortCircuit: true }
  },
})

function compile(url: string): string {
  const path = fileURLToPath(url)
  const source = readFileSync(path, 'utf8')
  const index = sources.get(url)
  if (index === undefined) return stripTypeScriptTypes(source)
  const name = relative(assignment.root, path).split(sep).join('/')
  const mutated = mutate(source, name, index * 10_000)
  mutants.push(...mutated.mutants)
  return stripTypeScriptTypes(mutated.code)
}

const { tests } = (await import(shim)) as typeof import('./collected-tests.ts')
let version = 0

async function load(): Promise<void> {
  tests.length = 0
  version += 1
  for (const path of assignment.tests) await import(`${pathToFileURL(path).href}?v${version}`)
}

const prepared = new Set<() => unknown>()

async function run(index: number): Promise<boolean> {
  const test = tests[index]
  if (test === undefined) return true
  calls = 0
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

async function killer({
  mutant,
  tests: indexes,
  isLoadedAgain,
}: Question): Promise<string | undefined> {
  active = mutant
  try {
    if (isLoadedAgain) await load()
  } catch (error) {
    return String(error)
  }
  for (const index of indexes) if (!(await run(index))) return tests[index]?.name
  return undefined
}

function send(message: Message): void {
  process.send?.(message)
}

await load()
const atStart = [...reached]
const reachedBy: (readonly number[])[] = []
const failures: string[] = []
const durations: number[] = []
for (const [index, { name }] of tests.entries()) {
  reached = new Set()
  const started = performance.now()
  if (!(await run(index))) failures.push(name)
  durations.push(performance.now() - started)
  reachedBy.push([...reached])
}
const names = tests.map(({ name }) => name)
send({ kind: 'ready', mutants, tests: names, reached: reachedBy, durations, atStart, failures })

process.on('message', async (question: Question) => {
  const killedBy = await killer(question)
  active = undefined
  if (question.isLoadedAgain) await load()
  send({ kind: 'verdict', mutant: question.mutant, killedBy })
})
