/** @module Remembers that a start has failed: the next one waits, longer each time. */

export interface StartFailures {
  note(error: unknown): void
  /** A start has succeeded. */
  forget(): void
  /** Why no start is tried now; undefined when one may be. */
  reason(): { readonly error: unknown } | undefined
  /** Since the beginning. */
  count(): number
}

/** Milliseconds until the next start after the first failure; twice as many after each further one. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** @param onRetry called when a start may be tried again. */
export function createStartFailures(onRetry: () => void): StartFailures {
  let failure: { readonly error: unknown } | undefined
  let pauseMs = firstPauseMs
  let count = 0
  return {
    note: (error) => {
      const noted = { error }
      failure = noted
      count += 1
      setTimeout(() => {
        if (failure !== noted) return
        failure = undefined
        onRetry()
      }, pauseMs).unref()
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    },
    forget: () => {
      failure = undefined
      pauseMs = firstPauseMs
    },
    reason: () => failure,
    count: () => count,
  }
}
