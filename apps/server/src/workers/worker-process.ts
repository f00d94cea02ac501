/** @module A worker, as its supervisor sees it. */
import cluster from 'node:cluster'
import { GatewayError } from '@engine/core'
import { type Channel, createChannel } from './channel.ts'
import type {
  Addresses,
  Beginning,
  Begun,
  QuestionForSupervisor,
  QuestionForWorker,
} from './questions.ts'
import { workerEnvironment } from './worker-side.ts'

export interface WorkerProcess {
  /** From 1 on. */
  readonly worker: number
  readonly pid: number
  readonly channel: Channel<QuestionForWorker>
  /**
   * Resolves when it accepts requests.
   *
   * @throws {GatewayError} with the reason why it does not; then it ends.
   */
  begin(beginning: Beginning): Promise<Addresses>
  /** When it became ready, in milliseconds of `performance.now()`. */
  readonly readyAtMs: () => number | undefined
  kill(): void
  /** Resolves when it has ended. */
  readonly ended: Promise<WorkerEnd>
}

export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/**
 * Starts a worker. All workers accept connections from one listening socket per port, which is open as long as one of
 * them is.
 */
export function startWorker(
  worker: number,
  answer: (question: QuestionForSupervisor, asking: WorkerProcess) => unknown,
): WorkerProcess {
  const started = cluster.fork(workerEnvironment)
  const { promise: ended, resolve } = Promise.withResolvers<WorkerEnd>()
  const channel = createChannel<QuestionForWorker, QuestionForSupervisor>(
    {
      send: (message) => {
        // A failure: the worker ends, which rejects all questions.
        if (started.isConnected()) started.send(message, undefined, () => undefined)
      },
      onMessage: (listener) => void started.on('message', listener),
    },
    (question) => answer(question, self),
  )
  started.on('error', () => undefined)
  started.once('exit', (code: number | null, signal: string | null) => {
    channel.close(new Error(`worker ${worker} has ended`))
    resolve({ code, signal })
  })
  let readyAtMs: number | undefined
  const self: WorkerProcess = {
    worker,
    pid: started.process.pid ?? 0,
    channel,
    begin: async (begin) => {
      const begun = await channel.ask({ what: 'begin', begin }).then(
        (answer) => answer as Begun,
        async (): Promise<Begun> => {
          const { code, signal } = await ended
          const message = `Worker ${worker} ended at its start (${signal ?? `exit code ${code}`}).`
          return { isReady: false, message, isConfiguration: false }
        },
      )
      if (begun.isReady) {
        readyAtMs = performance.now()
        return begun.addresses
      }
      const problem = begun.isConfiguration ? 'invalidConfiguration' : 'unavailable'
      throw new GatewayError(problem, begun.message)
    },
    readyAtMs: () => readyAtMs,
    kill: () => void started.process.kill('SIGKILL'),
    ended,
  }
  return self
}
