import { setTimeout as sleep } from 'node:timers/promises'

/** A cancellation in progress. */
export interface Cancelling {
  /** Call it when the work has ended. Resolves when no more cancel requests will be sent. */
  end(): Promise<void>
}

/** Milliseconds after which a cancel request is repeated while the statement still runs. */
const retryMs = 200

/** Repeats a cancel request until the work has ended: a server ignores it between two messages of a statement. */
export function cancelUntilEnded(cancel: () => Promise<void>): Cancelling {
  const ended = new AbortController()
  const repeat = async () => {
    while (!ended.signal.aborted) {
      await cancel()
      await sleep(retryMs, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }
  const stopped = repeat()
  return {
    end: () => {
      ended.abort()
      return stopped
    },
  }
}
