/** @module One worker thread, seen from the main thread. */
import { Worker } from 'node:worker_threads'
import type { GatewayError } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { cannotOpen, explained } from '../../errors/driver-error.ts'
import { jobState, sharedWordCount, sharedWords } from '../connection/interrupt.ts'
import type { Program } from '../program.ts'
import type {
  Envelope,
  ExecuteRequest,
  Greeting,
  GroupMember,
  GroupRequest,
  Reply,
  Request,
  WorkerSetup,
} from './messages.ts'

export interface WorkerThread {
  /**
   * Sends a request and waits for its reply; one at a time.
   *
   * @throws {GatewayError} `unavailable` when the thread ends without a reply.
   */
  ask(request: Question, timeoutMs: number): Promise<Reply>
  /**
   * Stops the running request, or one member of a group. False: it is committing, or a member of a group that will be committed.
   */
  stop(member?: number): boolean
  /** The member of a group that runs; -1 for none. */
  runningMember(): number
  /** Keeps the process alive (or not) while the thread runs. */
  keepAlive(isNeeded: boolean): void
  /** Ends the thread after its current work. */
  close(): Promise<void>
  /**
   * Abandons the thread: no caller waits for its reply, and it ends when the running step of SQLite does. It is terminated only
   * within a regular expression, which may have no end: elsewhere that can end the whole process, since the driver aborts where
   * it finds that JavaScript may not run any more.
   */
  retire(): Promise<void>
}

export type Question =
  | Exclude<Request, ExecuteRequest | GroupRequest>
  | ExecuteQuestion
  | GroupQuestion

/** With its whole program, which is sent only once. */
export interface ExecuteQuestion extends ExecuteRequest {
  readonly program: Program
}

export interface GroupQuestion extends GroupRequest {
  readonly members: readonly (GroupMember & { readonly request: ExecuteQuestion })[]
}

export interface WorkerThreadOptions extends Omit<WorkerSetup, 'state'> {
  /** Called once, when the thread has ended for any reason. */
  readonly onExit: () => void
}

/** A worker remembers this number of programs; then it is ordered to forget all of them. */
const maxPrograms = 1_000

/**
 * For values in the adapter's functions and in answers; SQLite's own memory does not count. The use must stay far below it: at
 * this limit V8 ends the process. In megabytes.
 */
const maxHeapMegabytes = 4_096

/** Sources run without a build; a build has compiled the worker's entry, too. */
const isSource = import.meta.url.endsWith('.ts')
const entry = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)
const execArgv = isSource ? ['--conditions=@engine/source'] : []

/**
 * Node unloads native code with the last thread that loaded it, while that thread still ends; and a thread that is terminated
 * while it loads native code ends the process. Code that the main thread has loaded stays loaded, and is immediately available to
 * threads.
 */
let isDriverLoaded = false

function keepDriverLoaded(): void {
  if (isDriverLoaded) return
  isDriverLoaded = true
  try {
    new Database(':memory:').close()
  } catch {
    // If there is no driver for this machine, the thread reports it.
  }
}

/**
 * Starts a thread and waits until its database is open.
 *
 * @throws {GatewayError} `unavailable` when it cannot be opened.
 */
export function startWorker({ onExit, ...setup }: WorkerThreadOptions): Promise<WorkerThread> {
  keepDriverLoaded()
  const state = new Int32Array(
    new SharedArrayBuffer(sharedWordCount * Int32Array.BYTES_PER_ELEMENT),
  )
  const worker = new Worker(entry, {
    name: `sqlite ${setup.role}`,
    workerData: { ...setup, state } satisfies WorkerSetup,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    execArgv,
  })
  let failure: Error | undefined
  let waiting: ((reply: Reply | Greeting | GatewayError) => void) | undefined
  const answer = (reply: Reply | Greeting | GatewayError) => {
    const settle = waiting
    waiting = undefined
    settle?.(reply)
  }
  worker.on('message', answer)
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      answer(explained('53000', false, failure))
      onExit()
      resolve()
    })
  })
  const thread = createThread(worker, state, exited, (settle) => {
    waiting = settle
  })
  return new Promise((resolve, reject) => {
    waiting = (greeting) => {
      if (greeting instanceof Error) reject(greeting)
      else if (greeting.kind === 'refused') reject(cannotOpen(greeting.fault))
      else resolve(thread)
    }
  })
}

function createThread(
  worker: Worker,
  state: Int32Array,
  exited: Promise<void>,
  onReply: (settle: (reply: Reply | Greeting | GatewayError) => void) => void,
): WorkerThread {
  let isEnded = false
  void exited.then(() => {
    isEnded = true
  })
  const known = new Set<number>()
  /** Without the program where the worker has it. */
  const shortened = (question: ExecuteQuestion): ExecuteRequest => {
    const { id } = question.program
    if (known.has(id)) return { ...question, program: id }
    known.add(id)
    return question
  }
  const forgetMany = (): boolean => {
    const forget = known.size >= maxPrograms
    if (forget) known.clear()
    return forget
  }
  const toMessage = (request: Question, timeoutMs: number): Envelope => {
    switch (request.kind) {
      case 'execute':
        return { forget: forgetMany(), request: shortened(request), timeoutMs }
      case 'group': {
        const forget = forgetMany()
        const members = request.members.map((each) => ({
          ...each,
          request: shortened(each.request),
        }))
        return { forget, request: { kind: 'group', members }, timeoutMs }
      }
      default:
        return { request, timeoutMs, forget: false }
    }
  }
  return {
    ask: (request, timeoutMs) =>
      new Promise((resolve, reject) => {
        if (isEnded) {
          reject(explained('53000', false))
          return
        }
        state.fill(jobState.running, sharedWords.members)
        Atomics.store(state, sharedWords.job, jobState.running)
        onReply((reply) => {
          if (reply instanceof Error) reject(reply)
          else resolve(reply as Reply)
        })
        worker.postMessage(toMessage(request, timeoutMs))
      }),
    stop: (member) => {
      const { running, stopped, committing } = jobState
      const word = member === undefined ? sharedWords.job : sharedWords.members + member
      return Atomics.compareExchange(state, word, running, stopped) !== committing
    },
    runningMember: () => Atomics.load(state, sharedWords.member),
    keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    close: () => {
      worker.ref()
      worker.postMessage('close')
      return exited
    },
    retire: async () => {
      worker.unref()
      worker.postMessage('close')
      if (Atomics.load(state, sharedWords.matching) === 1) await worker.terminate()
      await exited
    },
  }
}
