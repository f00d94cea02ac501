import { isBusy } from './fault.ts'
import type { Interrupt } from './interrupt.ts'

/** The pause between two attempts to get a lock, where SQLite did not wait itself. In milliseconds. */
const pauseMs = 5

const pause = new Int32Array(new SharedArrayBuffer(4))

export interface LockWait {
  /** How long to wait for a lock that another process holds, in milliseconds. */
  readonly lockTimeoutMs: number
  readonly interrupt: Interrupt
}

/** Repeats what fails because another process holds a lock, until the lock's time limit or the statement's. */
export function whileBusy<T>({ lockTimeoutMs, interrupt }: LockWait, action: () => T): T {
  const giveUpAt = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error
    }
    interrupt.check()
    Atomics.wait(pause, 0, 0, pauseMs)
  }
}
