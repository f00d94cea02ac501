/** @module Rate limits while the store of shared counts cannot be reached. */
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import type { RateDecision, RateLimit, RateLimiter } from '../../foundation/rate-limiter.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

export interface FallbackOptions {
  /** The limiter with shared counts. */
  readonly shared: RateLimiter
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds of any origin, never set back. */
  readonly elapsedMs?: () => number
  /** Limits that only distribute load wait at most this long for an answer, in milliseconds. */
  readonly patienceMs?: number
  readonly log: Log
}

/** After a failure such limits count locally for this number of milliseconds; then the shared store is tried again. */
const pauseMs = 1_000

/**
 * Limits with `count-locally` are counted by this node alone while the shared store is unavailable; all others are refused with
 * `unavailable`.
 */
export function createFallbackRateLimiter({
  shared,
  clock,
  elapsedMs = () => performance.now(),
  patienceMs = 1_000,
  log,
}: FallbackOptions): RateLimiter {
  const local = createMemoryRateLimiter({ clock })
  let awayUntilMs = Number.NEGATIVE_INFINITY
  let isAway = false

  const noteAway = (err: unknown) => {
    awayUntilMs = elapsedMs() + pauseMs
    if (!isAway) log.warn({ err }, 'rate limits are counted by each node for itself')
    isAway = true
  }
  const noteBack = () => {
    if (isAway) log.info({}, 'rate limits are shared again')
    isAway = false
  }
  const answered = async (
    remote: Promise<RateDecision>,
    here: () => RateDecision,
  ): Promise<RateDecision> => {
    try {
      const decision = await withTimeout(patienceMs, remote)
      noteBack()
      return decision
    } catch (error) {
      noteAway(error)
      return here()
    }
  }
  const ask = (
    { whenAway }: RateLimit,
    remote: () => Promise<RateDecision> | RateDecision,
    here: () => RateDecision,
  ): RateDecision | Promise<RateDecision> => {
    if (whenAway !== 'count-locally') return refusing(remote)
    if (elapsedMs() < awayUntilMs) return here()
    try {
      const decision = remote()
      if (decision instanceof Promise) return answered(decision, here)
      noteBack()
      return decision
    } catch (error) {
      noteAway(error)
      return here()
    }
  }
  return {
    take: (limit, key) =>
      ask(
        limit,
        () => shared.take(limit, key),
        () => local.take(limit, key),
      ),
    peek: (limit, key) =>
      ask(
        limit,
        () => shared.peek(limit, key),
        () => local.peek(limit, key),
      ),
    reset: async (limit, key) => {
      local.reset(limit, key)
      await refusing(() => shared.reset(limit, key))
    },
    close: async () => {
      await shared.close()
      await local.close()
    },
  }
}

async function refusing<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    throw new GatewayError('unavailable', 'The service is not available at the moment.', { cause })
  }
}
