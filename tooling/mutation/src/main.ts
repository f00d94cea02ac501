/**
 * @module Mutation testing of a folder: changes its sources one place at a time and asks whether any of its tests notices.
 *
 * @example
 * node --conditions=@engine/source tooling/mutation/src/main.ts packages/core/src/permissions
 */
import { type ChildProcess, fork } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isEquivalent } from './equivalent-mutants.ts'
import type { Mutant } from './mutant.ts'
import type { Assignment, Message, Question } from './test-process.ts'

type Ready = Extract<Message, { kind: 'ready' }>

const root = resolve(import.meta.dirname, '../../..')
const [folder = 'packages/core/src/permissions', ...more] = process.argv.slice(2)
const only = more[0] ?? ''
const files = globSync(join(root, folder, '**/*.ts')).toSorted()
const isTest = (path: string) => path.endsWith('.test.ts')
const sources = files.filter(
  (path) => !isTest(path) && !path.includes('test-support') && path.includes(only),
)
const tests = [...files.filter(isTest), ...besides(folder)]

/** Tests elsewhere that are about this folder. */
function besides(path: string): readonly string[] {
  return path.endsWith('core/src/permissions')
    ? ['packages/core/src/bind/hidden-columns.test.ts'].map((each) => join(root, each))
    : []
}

/** A mutant that makes a test run on for so long counts as noticed. In milliseconds. */
const longestMs = 20_000

function start(active: number | undefined): ChildProcess {
  const assignment: Assignment = { root, sources, tests, active }
  return fork(new URL('./test-process.ts', import.meta.url), [], {
    execArgv: ['--conditions=@engine/source', '--no-warnings'],
    env: { ...process.env, MUTATION: JSON.stringify(assignment) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** The next message, or undefined when the process died or took too long: then it is no more. */
function answer(child: ChildProcess): Promise<Message | undefined> {
  return new Promise((settle) => {
    const finish = (message: Message | undefined) => {
      clearTimeout(timer)
      child.removeAllListeners()
      if (message === undefined) child.kill('SIGKILL')
      settle(message)
    }
    const timer = setTimeout(() => finish(undefined), longestMs)
    child.once('message', (message) => finish(message as Message))
    child.once('exit', () => finish(undefined))
  })
}

async function ready(): Promise<{ readonly child: ChildProcess; readonly found: Ready }> {
  const child = start(undefined)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk)
  })
  const found = await answer(child)
  if (found?.kind !== 'ready') throw new Error(`the tests could not be loaded:\n${errors}`)
  if (found.failures.length > 0) {
    throw new Error(`these fail without any mutant:\n${found.failures.join('\n')}`)
  }
  return { child, found }
}

async function judge(
  mutant: Mutant,
  process: { child: ChildProcess },
  { reached, durations, atStart }: Ready,
): Promise<boolean> {
  if (atStart.includes(mutant.id)) {
    const child = start(mutant.id)
    const found = await answer(child)
    child.kill('SIGKILL')
    return found?.kind !== 'ready' || found.failures.length > 0
  }
  const reaching = reached
    .flatMap((ids, test) => (ids.includes(mutant.id) ? [test] : []))
    .toSorted((a, b) => (durations[a] ?? 0) - (durations[b] ?? 0))
  if (reaching.length === 0) return false
  const question: Question = { mutant: mutant.id, tests: reaching }
  process.child.send(question)
  const verdict = await answer(process.child)
  if (verdict === undefined) process.child = (await ready()).child
  return verdict?.kind !== 'verdict' || verdict.killedBy !== undefined
}

const { child, found } = await ready()
const process_ = { child }
const counts = new Map<string, { killed: number; all: number }>()
const survivors: Mutant[] = []
for (const mutant of found.mutants) {
  if (isEquivalent(mutant)) continue
  const count = counts.get(mutant.file) ?? { killed: 0, all: 0 }
  counts.set(mutant.file, count)
  count.all += 1
  if (await judge(mutant, process_, found)) count.killed += 1
  else survivors.push(mutant)
}
process_.child.kill('SIGKILL')

for (const { file, line, operator, original, replacement } of survivors) {
  const from = original.replaceAll(/\s+/g, ' ').slice(0, 100)
  console.log(
    `${file}:${line} ${operator}: ${from} → ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
  )
}
const total = [...counts.values()].reduce(
  (sum, { killed, all }) => ({ killed: sum.killed + killed, all: sum.all + all }),
  { killed: 0, all: 0 },
)
const share = ({ killed, all }: typeof total) =>
  `${killed} of ${all}, ${((100 * killed) / all).toFixed(1)} %`
for (const [file, count] of counts) console.log(`${file}: ${share(count)}`)
console.log(`killed: ${share(total)}`)
process.exitCode = total.killed / total.all >= 0.95 ? 0 : 1
