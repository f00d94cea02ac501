/** @module One timer for many deadlines: most of them are never reached, and a timer for each costs more than all else about them. */

export interface DeadlineTimer {
  /** There is something to do at this time at the latest; in milliseconds of `performance.now()`. */
  expect(deadlineMs: number): void
}

/**
 * It does not keep the process running.
 *
 * @param expire does what is due, and returns the next deadline; undefined: there is none.
 */
export function createDeadlineTimer(expire: (nowMs: number) => number | undefined): DeadlineTimer {
  let timer: NodeJS.Timeout | undefined
  let endsAtMs = Number.POSITIVE_INFINITY
  const expect = (deadlineMs: number) => {
    if (deadlineMs >= endsAtMs) return
    clearTimeout(timer)
    endsAtMs = deadlineMs
    timer = setTimeout(end, Math.max(0, deadlineMs - performance.now())).unref()
  }
  const end = () => {
    endsAtMs = Number.POSITIVE_INFINITY
    const next = expire(performance.now())
    if (next !== undefined) expect(next)
  }
  return { expect }
}
