import { cancelled, type Execution } from '@engine/core/adapter'
import type { CancelStatement } from './cancel.ts'
import type { MysqlSession } from './session.ts'

/** Stops the running statement of a session: when its time is up, and when its caller no longer waits for it. */
export interface Watch {
  /** Was it stopped because its time was up? */
  readonly isTimedOut: () => boolean
  /** @throws {GatewayError} when the caller no longer waits. */
  readonly check: () => void
  /** Resolves when no stop is in progress any more: a late one must not hit the session's next statement. */
  readonly end: () => Promise<void>
}

/** MariaDB can stop a statement by itself, without losing the connection; so its limit comes first. */
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
