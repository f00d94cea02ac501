/** @module A worker's end of the channel to its supervisor. */
import type {
  ActivityReport,
  MetricsText,
  ProcessState,
  RefusedConfiguration,
  Siblings,
  WorkerSession,
  WorkerState,
} from '@engine/http'
import { type Channel, createChannel } from './channel.ts'
import { createMachineCounts } from './machine-counts.ts'
import type {
  Beginning,
  Begun,
  QuestionForSupervisor,
  QuestionForWorker,
  SharedQuestion,
} from './questions.ts'

/** The environment of a worker of this program: other programs have workers, too. */
export const workerEnvironment: Readonly<Record<string, string>> = { ENGINE_WORKER: '1' }

export function isWorker(): boolean {
  return process.env['ENGINE_WORKER'] === '1' && process.send !== undefined
}

export interface WorkerSide {
  /** Resolves when the supervisor lets the worker begin. */
  readonly begin: Promise<Beginning>
  /** Reports whether it serves. Resolves when that was sent. */
  begun(outcome: Begun): Promise<void>
  /** Answers questions of others about this process from now on. */
  serve(own: OwnAnswers): void
  siblings(worker: number): Siblings
  readonly supervisor: Channel<QuestionForSupervisor>
}

export interface OwnAnswers {
  readonly answer: (question: SharedQuestion) => unknown
  readonly stop: () => void
  readonly retire: () => void
  readonly noteRefusal: (refusal: RefusedConfiguration) => void
}

export function createWorkerSide(): WorkerSide {
  const beginning = Promise.withResolvers<Beginning>()
  const outcome = Promise.withResolvers<Begun>()
  let own: OwnAnswers | undefined
  let lastSent: Promise<void> = Promise.resolve()

  const answer = (question: QuestionForWorker): unknown => {
    switch (question.what) {
      case 'begin':
        beginning.resolve(question.begin)
        return outcome.promise
      case 'stop':
        return own?.stop()
      case 'retire':
        return own?.retire()
      case 'note-refusal':
        return own?.noteRefusal(question.refusal)
      default:
        return own?.answer(question)
    }
  }
  const supervisor = createChannel<QuestionForSupervisor, QuestionForWorker>(
    {
      send: (message) => {
        lastSent = new Promise((resolve) => {
          // An error: the supervisor has ended, and with it this process.
          process.send?.(message, undefined, undefined, () => resolve())
        })
      },
      onMessage: (listener) => void process.on('message', listener),
    },
    answer,
  )
  return {
    begin: beginning.promise,
    begun: async (begun) => {
      outcome.resolve(begun)
      // The channel sends the answer when the promise has settled.
      await new Promise((resolve) => setImmediate(resolve))
      await lastSent
    },
    serve: (answers) => {
      own = answers
    },
    siblings: (worker) => ({
      worker,
      counts: createMachineCounts(supervisor),
      pgWire: {
        signal: async (signal) => (await supervisor.ask({ what: 'signal', signal })) === true,
      },
      renderMetrics: async () => (await supervisor.ask({ what: 'metrics' })) as MetricsText,
      states: async () => (await supervisor.ask({ what: 'state' })) as readonly WorkerState[],
      activities: async () =>
        (await supervisor.ask({ what: 'activity' })) as readonly ActivityReport[],
      wireSessions: async () =>
        (await supervisor.ask({ what: 'wire-sessions' })) as readonly WorkerSession[],
      refreshCatalogs: async () => void (await supervisor.ask({ what: 'refresh-catalogs' })),
    }),
    supervisor,
  }
}

export function workerState(worker: number, state: ProcessState): WorkerState {
  return { worker, pid: process.pid, ...state }
}
