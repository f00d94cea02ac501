/** @module The program without its process: files, network and output are parameters. */
import type { SchemaDocument } from '@engine/contract'
import { generate } from '../format.ts'
import type { GenerateOptions } from '../generate-options.ts'
import { fetchSchema, type SchemaAnswer, type SchemaSource } from '../source/fetch-schema.ts'
import { readTask, type Task } from './arguments.ts'
import { readGenerated, writeGenerated } from './generated-file.ts'
import { lineDiff } from './line-diff.ts'

export interface Surroundings {
  /** Token from the environment. */
  readonly token: string | undefined
  readonly fetch: SchemaSource['fetch']
  /** Standard output: the requested text. */
  readonly print: (text: string) => void
  /** Standard error: progress and failures. */
  readonly say: (line: string) => void
  /** Resolves after this number of milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends `--watch`. */
  readonly signal: AbortSignal
}

/** Exit codes of the program. */
export const exitCodes = { done: 0, outOfDate: 1, wrongArguments: 2, failed: 3 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const read = readTask(words, surroundings.token)
  if (read.kind === 'wrong') {
    surroundings.say(`${read.message} (see --help)`)
    return exitCodes.wrongArguments
  }
  const { task } = read
  return task.mode === 'watch' ? watch(task, surroundings) : once(task, surroundings)
}

async function once(task: Task, surroundings: Surroundings): Promise<ExitCode> {
  const looked = await look(task, surroundings, undefined)
  if (looked.kind === 'failure') {
    surroundings.say(looked.message)
    return exitCodes.failed
  }
  return looked.kind === 'unchanged' ? exitCodes.done : deliver(looked.document, task, surroundings)
}

/** Watches the schema until its signal aborts. Prints a failure once, and continues. */
async function watch(task: Task, surroundings: Surroundings): Promise<ExitCode> {
  const { say, sleep, signal } = surroundings
  let tag: string | undefined
  let said: string | undefined
  say(`Watching ${task.url.href}`)
  while (!signal.aborted) {
    const looked = await look(task, surroundings, tag)
    if (signal.aborted) break
    if (looked.kind === 'failure') {
      if (looked.message !== said) say(looked.message)
      said = looked.message
      tag = undefined
    } else {
      if (said !== undefined) say(`${task.url.origin} answers again.`)
      said = undefined
      if (looked.kind === 'schema') {
        const code = await deliver(looked.document, task, surroundings)
        tag = code === exitCodes.done ? looked.tag : undefined
      }
    }
    await sleep(task.intervalMs, signal)
  }
  return exitCodes.done
}

/** A schema without some tables, or without a requested connection, is a failure: otherwise the generated file would silently lack them. */
async function look(
  { url, token, allowIncomplete, generate: { connections } }: Task,
  { fetch, signal }: Surroundings,
  tag: string | undefined,
): Promise<SchemaAnswer> {
  const answer = await fetchSchema({ url, token, fetch }, tag, signal)
  if (answer.kind !== 'schema') return answer
  const unknown = connections?.find((name) => !Object.hasOwn(answer.document.connections, name))
  if (unknown !== undefined) {
    const known = Object.keys(answer.document.connections).join(', ')
    return failure(`The engine has no connection "${unknown}". It has: ${known}.`)
  }
  const wanted = answer.missing.filter((name) => connections?.includes(name) ?? true)
  if (wanted.length === 0 || allowIncomplete) return answer
  return failure(
    `The engine has not reached the databases of these connections yet: ${wanted.join(', ')}. ` +
      'Try again later, or leave their tables out with --allow-incomplete.',
  )
}

function failure(message: string): SchemaAnswer {
  return { kind: 'failure', message }
}

async function deliver(
  document: SchemaDocument,
  { generate: options, out, mode }: Task,
  { print, say }: Surroundings,
): Promise<ExitCode> {
  const text = generate(document, options)
  const held = contents(document, options)
  if (out === undefined) {
    print(text)
    return exitCodes.done
  }
  try {
    const before = await readGenerated(out)
    if (before === text) {
      say(`${out} is up to date: ${held}`)
      return exitCodes.done
    }
    if (mode === 'check') {
      print(`${lineDiff(before ?? '', text, out)}\n`)
      say(before === undefined ? `${out} does not exist.` : `${out} is out of date.`)
      return exitCodes.outOfDate
    }
    await writeGenerated(out, text)
    say(`${before === undefined ? 'Made' : 'Changed'} ${out}: ${held}`)
    return exitCodes.done
  } catch (error) {
    say(`${out} cannot be ${mode === 'check' ? 'read' : 'written'}: ${messageOf(error)}`)
    return exitCodes.failed
  }
}

/** The content of the file: `12 tables, 3 actions`; a Drizzle schema has no actions. */
function contents(
  { connections, actions = {} }: SchemaDocument,
  { format, connections: chosen }: GenerateOptions,
): string {
  const tables = Object.entries(connections).flatMap(([name, connection]) =>
    (chosen?.includes(name) ?? true) ? Object.keys(connection.tables) : [],
  )
  const tableCount = counted(tables.length, 'table')
  if (format === 'drizzle') return tableCount
  return `${tableCount}, ${counted(Object.keys(actions).length, 'action')}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
