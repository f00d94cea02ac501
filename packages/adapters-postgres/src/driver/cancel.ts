import type { Log } from '@engine/core/adapter'
import { type Cancelling, cancelUntilEnded } from '@engine/core/driver'
import { askOnce } from './own-connection.ts'
import type { ServerSession } from './session.ts'

/** Cancels the statement of a backend. Resolves when the request was sent, or could not be sent. */
export type CancelBackend = (backendPid: number) => Promise<void>

/** Time limit of a cancel request, in milliseconds. */
const timeoutMs = 5_000

/** Cancels over separate connections, one at a time: when many requests end at once they wait for each other. */
export function createCancel(url: string, log: Log): CancelBackend {
  let last: Promise<void> = Promise.resolve()
  return (backendPid) => {
    last = last
      .then(async () => {
        await askOnce(url, 'select pg_catalog.pg_cancel_backend($1)', [backendPid], timeoutMs)
      })
      .catch((err: unknown) => {
        log.warn({ err }, 'a database query could not be cancelled')
      })
    return last
  }
}

/**
 * Stops the work on the server when the signal fires. The session stays busy until the cancel request has ended: a late
 * cancellation must not stop the next statement.
 */
export async function cancellable<T>(
  session: ServerSession,
  work: Promise<T>,
  signal: AbortSignal | undefined,
  cancel: CancelBackend,
): Promise<T> {
  if (signal === undefined) return work
  let cancelling: Cancelling | undefined
  const onAbort = () => {
    cancelling = cancelUntilEnded(() => cancel(session.backend.pid))
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (cancelling !== undefined) {
      await cancelling.end()
      session.condemn()
    }
  }
}
