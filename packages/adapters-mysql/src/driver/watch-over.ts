import { cancelled, type Execution } from '@engine/core/adapter'
import { traitsOf } from '../server/server-traits.ts'
import type { CancelStatement } from './cancel.ts'
import type { MysqlSession } from './session.ts'
import { timedOut } from './timed-out.ts'

/** Stops the running statement of a session: when its time is up, and when its caller no longer waits for it. */
export interface Watch {
  /** Was it stopped because its time was up? */
  readonly isTimedOut: () => boolean
  /** May an answer without an error be that of a stopped statement? Then it may be wrong. */
  readonly mayBeStopped: () => boolean
  /** @throws {GatewayError} when the caller no longer waits, or the time is up. */
  readonly check: () => void
  /** Resolves when no stop is in progress any more: a late one must not hit the session's next statement. */
  readonly end: () => Promise<void> | undefined
}

/** Where the server stops a statement by itself, without losing the connection, its limit comes first. */
const aheadMs = 250

/**
 * Most statements end before this time, in milliseconds: only then a timer of their own is set, and only then the caller's signal
 * is listened to.
 */
const quickMs = 10

export function watchOver(
  session: MysqlSession,
  { timeoutMs, signal }: Execution,
  cancel: CancelStatement,
): Watch {
  let stopping: Promise<void> | undefined
  let isTimedOut = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    stopping ??= cancel(session.threadId)
  }
  const { limitsWrites, faults } = traitsOf(session.flavor)
  const limitMs = timeoutMs + (limitsWrites ? aheadMs : 0)
  const startMs = performance.now()
  const firstMs = Math.min(quickMs, limitMs)
  const timeOut = () => {
    isTimedOut = true
    stop()
  }
  session.remind(firstMs, () => {
    timer = setTimeout(timeOut, limitMs - firstMs)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
  return {
    isTimedOut: () => isTimedOut,
    // The server's own limit may have stopped it before the timer here.
    mayBeStopped: () =>
      faults.silentStops && (stopping !== undefined || performance.now() - startMs >= timeoutMs),
    check: () => {
      if (signal?.aborted) throw cancelled()
      if (isTimedOut) throw timedOut(undefined)
    },
    end: () => {
      session.remind(undefined)
      if (timer !== undefined) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
      return stopping?.then(() => session.condemn())
    },
  }
}
