/** @module Runs work after the answer, so that the time of the answer reveals nothing. */
import type { Log } from '@engine/core'

export interface BackgroundQueue {
  /**
   * Never waits. Errors are logged under `what`; work beyond the limit is dropped, and logged.
   *
   * @returns false when the work was dropped.
   */
  add(what: string, work: () => Promise<void>): boolean
  /** Resolves when all added work is done. */
  drain(): Promise<void>
}

/** @param maxRunning number of pieces of work at the same time. */
export function createBackgroundQueue({
  log,
  maxRunning = 2,
  maxQueued = 1_000,
}: {
  readonly log: Log
  readonly maxRunning?: number
  readonly maxQueued?: number
}): BackgroundQueue {
  const waiting: { readonly what: string; readonly work: () => Promise<void> }[] = []
  const running = new Set<Promise<void>>()
  const startNext = (): void => {
    const next = waiting.shift()
    if (next === undefined) return
    const done = next
      .work()
      .catch((error: unknown) => log.error({ err: error }, `${next.what} failed`))
      .then(() => {
        running.delete(done)
        startNext()
      })
    running.add(done)
  }
  return {
    add: (what, work) => {
      if (waiting.length >= maxQueued) {
        log.error({ queued: waiting.length }, `${what} was dropped: too much waits already`)
        return false
      }
      waiting.push({ what, work })
      // Not during the request that added it.
      setImmediate(() => {
        if (running.size < maxRunning) startNext()
      })
      return true
    },
    drain: async () => {
      while (waiting.length > 0 || running.size > 0) {
        if (running.size < maxRunning) startNext()
        await Promise.race(running)
      }
    },
  }
}
