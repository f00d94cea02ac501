/** @module Stops a running statement: JavaScript cannot reach SQLite's own interrupt. */
import { faultError } from './fault.ts'

/**
 * The state of a worker's job, in memory that both threads share. The first thread that changes it from `running` wins: a job is
 * either stopped, and then never committed, or committed, and then never reported as stopped.
 */
export const jobState = { running: 0, stopped: 1, committing: 2 } as const

/** The words of the shared memory: the state of the job, and whether a pattern is being matched (1). */
export const sharedWords = { job: 0, matching: 1 } as const

export interface Interrupt {
  /** Begins a job that may run for `timeoutMs` milliseconds. */
  start(timeoutMs: number): void
  /**
   * Called repeatedly by a running statement.
   *
   * @param rows read since the last call; 1 by default
   * @throws a fault `interrupted` when it must stop.
   */
  check(rows?: number): void
  /**
   * Called before a commit: from then on the job cannot be stopped.
   *
   * @throws a fault `interrupted` when it was stopped before.
   */
  commit(): void
  /** Runs a match of a regular expression, which may never end: see `WorkerThread.retire`. */
  matching<T>(match: () => T): T
}

/** Reading the clock costs ten times as much as reading the state. */
const checksPerClock = 256

/** @param state Shared memory, see `sharedWords`. */
export function createInterrupt(state: Int32Array): Interrupt {
  let deadline = Number.POSITIVE_INFINITY
  let countdown = checksPerClock
  const isLate = (): boolean => {
    countdown = checksPerClock
    return performance.now() > deadline
  }
  return {
    start: (timeoutMs) => {
      deadline = performance.now() + timeoutMs
      countdown = checksPerClock
    },
    check: (rows = 1) => {
      countdown -= rows
      if (
        Atomics.load(state, sharedWords.job) === jobState.stopped ||
        (countdown <= 0 && isLate())
      ) {
        throw faultError({ kind: 'interrupted' })
      }
    },
    commit: () => {
      const { running, committing } = jobState
      if (
        isLate() ||
        Atomics.compareExchange(state, sharedWords.job, running, committing) !== running
      ) {
        throw faultError({ kind: 'interrupted' })
      }
    },
    matching: (match) => {
      Atomics.store(state, sharedWords.matching, 1)
      try {
        return match()
      } finally {
        Atomics.store(state, sharedWords.matching, 0)
      }
    },
  }
}
