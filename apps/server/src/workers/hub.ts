/** @module Answers what workers ask: passes questions on to the others, adds metrics up, counts requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MetricValues } from '@engine/http'
import { createCounting } from './machine-counts.ts'
import type { QuestionForSupervisor, SharedQuestion } from './questions.ts'
import { createWorkerMetrics } from './worker-metrics.ts'
import type { WorkerProcess } from './worker-process.ts'

export interface HubOptions {
  /** All that can answer: those that retire, too. */
  readonly workers: () => readonly WorkerProcess[]
  /** Starts after a worker has ended. */
  readonly restarts: () => number
}

export interface Hub {
  answer(question: QuestionForSupervisor, asking: WorkerProcess): unknown
  /** A worker has ended. */
  forget(worker: WorkerProcess): void
}

/** How long a worker may take to answer, in milliseconds; after that the others' answers count. */
const patienceMs = 2_000

export function createHub({ workers, restarts }: HubOptions): Hub {
  const count = createCounting(Date.now)
  const metrics = createWorkerMetrics()

  const askEach = (
    question: SharedQuestion,
    asked: readonly WorkerProcess[],
  ): Promise<readonly unknown[]> => Promise.all(asked.map((worker) => answerOf(worker, question)))
  const others = (asking: WorkerProcess) => workers().filter((worker) => worker !== asking)

  const renderMetrics = async () => {
    const asked = workers()
    const answers = await askEach({ what: 'metrics' }, asked)
    for (const [i, worker] of asked.entries()) {
      const values = answers[i] as MetricValues | undefined
      if (values !== undefined) metrics.keep(worker.pid, values)
    }
    const ready = asked.filter((worker) => worker.readyAtMs() !== undefined)
    return metrics.render(ownMetrics(ready.length, restarts()))
  }

  return {
    answer: async (question, asking) => {
      switch (question.what) {
        case 'signal':
          return (await askEach(question, others(asking))).includes(true)
        case 'refresh-catalogs':
          await askEach(question, others(asking))
          return undefined
        case 'activity':
        case 'state': {
          const states = await askEach(question, workers())
          return states.filter((state) => state !== undefined)
        }
        case 'wire-sessions':
          return (await askEach(question, workers())).flat().filter((each) => each !== undefined)
        case 'metrics':
          return renderMetrics()
        case 'last-metrics':
          metrics.keep(asking.pid, question.values)
          return undefined
        case 'confirm-closed':
          return undefined
        default:
          return count(question)
      }
    },
    forget: ({ pid }) => metrics.end(pid),
  }
}

/** @returns undefined when it has ended or does not answer. */
async function answerOf(worker: WorkerProcess, question: SharedQuestion): Promise<unknown> {
  const late = new AbortController()
  try {
    return await Promise.race([
      worker.channel.ask(question),
      sleep(patienceMs, undefined, { ref: false, signal: late.signal }),
    ])
  } catch {
    return undefined
  } finally {
    late.abort()
  }
}

function ownMetrics(ready: number, restarts: number): MetricValues {
  const own = [
    ['engine_workers', 'Processes that serve requests, or finish those that they have.', ready],
    ['engine_worker_restarts_total', 'Workers that were started again after they ended.', restarts],
  ] as const
  return own.map(([name, help, value]) => ({
    name,
    help,
    type: 'gauge',
    aggregator: 'sum',
    values: [{ labels: {}, value }],
  }))
}
