/** @module Stops a running statement: JavaScript cannot reach SQLite's own interrupt. */
import { faultError } from '../../errors/fault.ts'

/**
 * The state of a worker's job, in memory that both threads share. The first thread that changes it from `running` wins: a job is
 * either stopped, and then never committed, or committed, and then never reported as stopped.
 */
export const jobState = { running: 0, stopped: 1, committing: 2 } as const

/** The most writes that share a transaction. */
export const mostMembers = 64

/**
 * The words of the shared memory: the state of the job; whether a pattern is being matched (1); of a group of writes the member
 * that runs, and from `members` on the state of each.
 */
export const sharedWords = { job: 0, matching: 1, member: 2, members: 3 } as const

export const sharedWordCount: number = sharedWords.members + mostMembers

export interface Interrupt {
  /**
   * Begins a job that may run for `timeoutMs` milliseconds.
   *
   * @param member the member of a group that runs from now on; undefined: the whole job
   */
  start(timeoutMs: number, member?: number): void
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
  /**
   * Called when a member of a group has done its work: from then on it cannot be stopped.
   *
   * @throws a fault `interrupted` when it was stopped before.
   */
  keepMember(): void
  /** Was the whole job stopped? */
  isStopped(): boolean
  /** Runs a match of a regular expression, which may never end: see `WorkerThread.retire`. */
  matching<T>(match: () => T): T
}

/** Reading the clock costs ten times as much as reading the state. */
const checksPerClock = 256

/** @param state Shared memory, see `sharedWords`. */
export function createInterrupt(state: Int32Array): Interrupt {
  let deadline = Number.POSITIVE_INFINITY
  /** Of the state that stops the running statement. */
  let word: number = sharedWords.job
  let countdown = checksPerClock
  const isLate = (): boolean => {
    countdown = checksPerClock
    return performance.now() > deadline
  }
  return {
    start: (timeoutMs, member) => {
      word = member === undefined ? sharedWords.job : sharedWords.members + member
      Atomics.store(state, sharedWords.member, member ?? -1)
      deadline = performance.now() + timeoutMs
      countdown = checksPerClock
    },
    check: (rows = 1) => {
      countdown -= rows
      if (Atomics.load(state, word) === jobState.stopped || (countdown <= 0 && isLate())) {
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
    keepMember: () => {
      const { running, stopped, committing } = jobState
      if (Atomics.compareExchange(state, word, running, committing) === stopped) {
        throw faultError({ kind: 'interrupted' })
      }
    },
    isStopped: () => Atomics.load(state, sharedWords.job) === jobState.stopped,
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
