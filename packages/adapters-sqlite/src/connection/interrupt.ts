/** @module How a running statement is stopped: SQLite has no way of its own that JavaScript could reach. */
import { faultError } from './fault.ts'

/**
 * Where a job of a worker stands, in memory that both threads see. Whoever moves it on from `running` first wins: a job is
 * either stopped, and then never committed, or committed, and then never reported as stopped.
 */
export const jobState = { running: 0, stopped: 1, committing: 2 } as const

export interface Interrupt {
  /** Begins a job that may run for so many milliseconds. */
  start(timeoutMs: number): void
  /**
   * Called again and again by a running statement.
   *
   * @throws a fault `interrupted` when it must stop.
   */
  check(): void
  /**
   * Called before a commit: from here on the job cannot be stopped any more.
   *
   * @throws a fault `interrupted` when it was stopped before.
   */
  commit(): void
}

/** Reading the clock costs ten times what reading the state costs. */
const checksPerClock = 256

/** @param state One word of shared memory, see `jobState`. */
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
    check: () => {
      countdown -= 1
      if (Atomics.load(state, 0) === jobState.stopped || (countdown <= 0 && isLate())) {
        throw faultError({ kind: 'interrupted' })
      }
    },
    commit: () => {
      const { running, committing } = jobState
      if (isLate() || Atomics.compareExchange(state, 0, running, committing) !== running) {
        throw faultError({ kind: 'interrupted' })
      }
    },
  }
}
