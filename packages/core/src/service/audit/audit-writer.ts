/** @module Moves entries from the queue to the database in batches, and repeats failed attempts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../foundation/log.ts'
import { withinTime } from '../../foundation/within-time.ts'
import type { FinishedEntry } from './audit-entry.ts'
import type { Written } from './write-entries.ts'

export interface AuditWriterOptions {
  /** Entries to be written next, redacted; empty when there are none. Never throws. */
  readonly take: () => readonly FinishedEntry[]
  /** Never rejects. */
  readonly write: (entries: readonly FinishedEntry[]) => Promise<Written>
  /** Called for each entry that the database refuses: it is given up. */
  readonly onRefused: (entry: FinishedEntry, error: unknown) => void
  /** Entries that wait: `some` can wait for others, `many` are written at once. */
  readonly queue: () => 'empty' | 'some' | 'many'
  readonly log: Log
  /** Milliseconds that an entry waits for further ones. */
  readonly flushMs: number
  /** Milliseconds until a failed attempt is repeated, at first and at most. */
  readonly retryMs: readonly [first: number, most: number]
}

export interface AuditWriter {
  /** There are entries to write: begins within `flushMs`, or now. */
  wake(now: boolean): void
  /** Resolves when every entry is written; does not resolve while the database is unavailable. */
  whenIdle(): Promise<void>
  /** The last attempt failed. */
  readonly isFailing: () => boolean
  readonly written: () => number
  /** Starts no further attempt, and waits `waitMs` for the last one. @returns the entries that were not written. */
  stop(waitMs: number): Promise<readonly FinishedEntry[]>
}

export function createAuditWriter(options: AuditWriterOptions): AuditWriter {
  const { take, write, onRefused, queue, log, flushMs, retryMs } = options
  const [firstRetryMs, mostRetryMs] = retryMs
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let running = Promise.resolve()
  let batch: readonly FinishedEntry[] = []
  let isFailing = false
  let isStopped = false
  /** Callers of `whenIdle` that wait for an empty queue. */
  let draining = 0
  let written = 0
  let endPause: (() => void) | undefined

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, ms)
      timeout.unref()
      endPause = () => {
        clearTimeout(timeout)
        resolve()
      }
    })

  const attempt = async (): Promise<void> => {
    const { left, refused, error } = await write(batch)
    const count = batch.length - left.length - refused.length
    written += count
    for (const { entry, error: reason } of refused) onRefused(entry, reason)
    batch = left
    const failed = left.length > 0 || count === 0
    if (failed && !isFailing) {
      const reason = error ?? refused[0]?.error
      log.error({ err: reason }, 'the audit cannot be written; trying again')
    }
    if (!failed && isFailing) log.info({}, 'the audit is written again')
    isFailing = failed
  }

  /** A batch costs more than its entries do: few of them wait for others. */
  const mayWait = () => draining === 0 && batch.length === 0 && queue() === 'some'

  const run = async (): Promise<void> => {
    let retry = firstRetryMs
    while (!isStopped) {
      if (batch.length === 0) batch = take()
      if (batch.length === 0) break
      await attempt()
      if (isFailing && !isStopped) await pause(retry)
      retry = isFailing ? Math.min(retry * 2, mostRetryMs) : firstRetryMs
      // A database within this process answers at once: other work must get its turn, too.
      if (!isFailing) await nextTurn()
      if (!isFailing && mayWait()) break
    }
    // In the same turn as the check of the queue, so that later entries wake the writer again.
    isRunning = false
    if (!isStopped && queue() !== 'empty') startLater()
  }

  const startLater = () => {
    timer ??= setTimeout(start, flushMs)
    timer.unref()
  }
  const start = () => {
    clearTimeout(timer)
    timer = undefined
    if (isStopped || isRunning) return
    isRunning = true
    running = run()
  }

  return {
    wake: (now) => {
      if (isRunning || isStopped) return
      if (now) start()
      else startLater()
    },
    whenIdle: async () => {
      draining += 1
      try {
        start()
        await running
      } finally {
        draining -= 1
      }
    },
    isFailing: () => isFailing,
    written: () => written,
    stop: async (waitMs) => {
      isStopped = true
      clearTimeout(timer)
      endPause?.()
      await withinTime(running, waitMs)
      return batch
    },
  }
}
