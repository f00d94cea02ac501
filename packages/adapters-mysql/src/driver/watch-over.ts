import { cancelled, type Execution } from '@engine/core/adapter'
import type { CancelStatement } from './cancel.ts'
import type { MysqlSession } from './session.ts'

/** Stops what a session runs: when its time is up, and when nobody waits for it any more. */
export interface Watch {
  /** Was it stopped because its time was up? */
  readonly isTimedOut: () => boolean
  /** @throws {GatewayError} when nobody waits any more. */
  readonly check: () => void
  /** Resolves when no stop is under way any more: a late one must not hit what the session runs next. */
  readonly end: () => Promise<void>
}

/** MariaDB stops a statement by itself, without a connection being lost for it; so it comes first. */
const aheadMs = 250

export function watchOver(
  session: MysqlSession,
  { timeoutMs, signal }: Execution,
  cancel: CancelStatement,
): Watch {
  let stopping: Promise<void> | undefined
  let isTimedOut = false
  const stop = () => {
    stopping ??= cancel(session.threadId)
  }
  const delayMs = timeoutMs + (session.flavor.kind === 'mariadb' ? aheadMs : 0)
  const timer = setTimeout(() => {
    isTimedOut = true
    stop()
  }, delayMs)
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return {
    isTimedOut: () => isTimedOut,
    check: () => {
      if (signal?.aborted) throw cancelled()
    },
    end: async () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      if (stopping === undefined) return
      await stopping
      session.condemn()
    },
  }
}
