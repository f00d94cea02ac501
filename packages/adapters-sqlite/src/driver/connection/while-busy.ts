import { isBusy } from '../../errors/fault.ts'
import type { Interrupt } from './interrupt.ts'

/** The pause between two attempts to get a lock, where SQLite itself did not wait. In milliseconds. */
const pauseMs = 5

const pause = new Int32Array(new SharedArrayBuffer(4))

export interface LockWait {
  /** How long to wait for a lock that another process holds, in milliseconds. */
  readonly lockTimeoutMs: number
  readonly interrupt: Interrupt
}

/**
 * Repeats an action that fails because another process holds a lock, until the time limit of the lock or of the statement.
 * Meanwhile it blocks the thread.
 */
export function whileBusy<T>(
  { lockTimeoutMs, interrupt }: Pick<LockWait, 'lockTimeoutMs'> & Partial<LockWait>,
  action: () => T,
): T {
  const giveUpAt = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error
    }
    interrupt?.check()
    Atomics.wait(pause, 0, 0, pauseMs)
  }
}
