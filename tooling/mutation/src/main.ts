/**
 * @module Mutation testing of a folder: changes its sources one place at a time and checks whether any of its tests
 * fails.
 *
 * @example
 * node --conditions=@engine/source tooling/mutation/src/main.ts packages/core/src/compiler/permissions
 */
import { type ChildProcess, fork } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { equivalence } from './equivalent-mutants.ts'
import type { Mutant } from './mutant.ts'
import type { Assignment, Message, Question, Ready } from './test-process.ts'

const root = resolve(import.meta.dirname, '../../..')
const [path = 'packages/core/src/compiler/permissions', only = ''] = process.argv.slice(2)
const folder = join(root, path)
const files = globSync(join(folder, '**/*.ts')).toSorted()
const isTest = (file: string) => file.endsWith('.test.ts')
const tests = files.filter(isTest)
const sources = files.filter(
  (file) => !isTest(file) && !file.includes('test-support') && file.includes(only),
)

/** A mutant with which tests run longer than this counts as noticed. In milliseconds. */
const longestMs = 60_000

function start(): ChildProcess {
  const assignment: Assignment = { root, folder, sources, tests }
  return fork(new URL('./test-process.ts', import.meta.url), [JSON.stringify(assignment)], {
    execArgv: ['--conditions=@engine/source', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** The next message, or undefined when the process died or took too long: then it has been ended. */
function answer(child: ChildProcess, patienceMs = longestMs): Promise<Message | undefined> {
  return new Promise((settle) => {
    const finish = (message: Message | undefined) => {
      clearTimeout(timer)
      child.removeAllListeners()
      if (message === undefined) child.kill('SIGKILL')
      settle(message)
    }
    const timer = setTimeout(() => finish(undefined), patienceMs)
    child.once('message', (message) => finish(message as Message))
    child.once('exit', () => finish(undefined))
  })
}

interface Bench {
  readonly child: ChildProcess
  readonly found: Ready
}

async function prepare(): Promise<Bench> {
  const child = start()
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk)
  })
  const found = await answer(child, 10 * longestMs)
  if (found?.kind !== 'ready') throw new Error(`the tests could not be loaded:\n${errors}`)
  if (found.failures.length > 0) {
    throw new Error(`these fail without any mutant:\n${found.failures.join('\n')}`)
  }
  return { child, found }
}

/** The tests that could notice a mutant, the fastest first. */
function questionOf(
  { id, file }: Mutant,
  { mutants, reached, durations, atStart }: Ready,
): Question {
  const isLoadedAgain = atStart.includes(id)
  const own = isLoadedAgain
    ? mutants.filter((other) => other.file === file).map((other) => other.id)
    : [id]
  const wanted = new Set(own)
  const indexes = reached.flatMap((ids, test) =>
    ids.some((each) => wanted.has(each)) ? [test] : [],
  )
  return {
    mutant: id,
    tests: indexes.toSorted((a, b) => (durations[a] ?? 0) - (durations[b] ?? 0)),
    isLoadedAgain,
  }
}

interface Count {
  readonly killed: number
  readonly all: number
}

const share = ({ killed, all }: Count) =>
  `${killed} of ${all}, ${((100 * killed) / all).toFixed(1)} %`

let bench = await prepare()
const counts = new Map<string, Count>()
for (const mutant of bench.found.mutants.filter((each) => equivalence(each) === undefined)) {
  const question = questionOf(mutant, bench.found)
  bench.child.send(question)
  const verdict = await answer(bench.child)
  const isKilled = verdict?.kind !== 'verdict' || verdict.killedBy !== undefined
  if (verdict === undefined) bench = await prepare()
  const { killed, all } = counts.get(mutant.file) ?? { killed: 0, all: 0 }
  counts.set(mutant.file, { killed: killed + (isKilled ? 1 : 0), all: all + 1 })
  if (isKilled) continue
  const { file, line, operator, original, replacement } = mutant
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  console.log(`${file}:${line} ${operator}: ${short(original)} → ${short(replacement)}`)
}
bench.child.kill('SIGKILL')

for (const [file, count] of counts) console.log(`${file}: ${share(count)}`)
const total = [...counts.values()].reduce((sum, { killed, all }) => ({
  killed: sum.killed + killed,
  all: sum.all + all,
}))
console.log(`killed: ${share(total)}`)
process.exitCode = total.killed / total.all >= 0.95 ? 0 : 1
