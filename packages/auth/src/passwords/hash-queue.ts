/** @module Limits concurrent password hashes, so that a flood of them does not overload the machine. */
import { availableParallelism } from 'node:os'
import { GatewayError } from '@engine/core'

export interface HashQueue {
  /**
   * Runs `work` when its turn comes.
   *
   * @throws {GatewayError} `rateLimited` at once when too many wait.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** For metrics. */
  stats(): HashQueueStats
}

/** The load of password hashing, in hashes. */
export interface HashQueueStats {
  readonly running: number
  readonly queued: number
  /** Number since the start, with any outcome. */
  readonly finished: number
}

export interface HashQueueOptions {
  /** Default: one for each core, at least 2. */
  readonly maxRunning?: number
  /** Default 64. */
  readonly maxQueued?: number
}

const retryAfterMs = 1_000

export function createHashQueue({
  maxRunning = Math.max(2, availableParallelism()),
  maxQueued = 64,
}: HashQueueOptions = {}): HashQueue {
  const waiting: (() => void)[] = []
  let running = 0
  let finished = 0
  const turn = async (): Promise<void> => {
    if (running < maxRunning) {
      running++
      return
    }
    if (waiting.length >= maxQueued) throw tooMany(maxQueued)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    finished++
    const next = waiting.shift()
    // The next one takes the slot: `running` does not change.
    if (next === undefined) running--
    else next()
  }
  return {
    run: async (work) => {
      await turn()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    stats: () => ({ running, queued: waiting.length, finished }),
  }
}

function tooMany(limit: number): GatewayError {
  return new GatewayError('rateLimited', 'Too many passwords are being checked. Try again soon.', {
    rate: {
      isAllowed: false,
      limit: { name: 'password-hashing', limit, periodMs: retryAfterMs },
      remaining: 0,
      resetMs: retryAfterMs,
      retryAfterMs,
    },
  })
}
