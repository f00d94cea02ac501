import { hash } from 'node:crypto'
import type { RateDecision, RateLimit, RateLimiter } from '../../foundation/rate-limiter.ts'
import { decisionOf, drained, exactMeter, hasRoom, type Level, type Meter } from './gcra.ts'

export interface MemoryRateLimiterOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Keys remembered for each limit; the least recently used is forgotten first. Default 100 000. */
  readonly maxKeys?: number
}

/** A rate limiter that answers synchronously. */
export interface MemoryRateLimiter extends RateLimiter {
  /** @param count takes so many at once, or none. Default 1. */
  take(limit: RateLimit, key: string, count?: number): RateDecision
  peek(limit: RateLimit, key: string): RateDecision
  reset(limit: RateLimit, key: string): void
  /** The number of keys remembered now. */
  size(): number
}

/** The number of oldest keys that each take checks: more than one take can add, so that empty buckets are removed. */
const sweptByTake = 2

/** Longer keys are stored as their SHA-256, whose 43 characters no plain key can have. */
const maxKeyLength = 42

/** One limit's counts, least recently used first. */
interface Counts {
  readonly meter: Meter
  readonly levels: Map<string, Level>
}

/**
 * Counts in this process. Each limit has its own room, so that a flood of keys of one limit does not evict those of another;
 * takes remove empty buckets along the way.
 */
export function createMemoryRateLimiter({
  clock,
  maxKeys = 100_000,
}: MemoryRateLimiterOptions): MemoryRateLimiter {
  const byLimit = new WeakMap<RateLimit, Counts>()
  const byName = new Map<string, Counts>()

  const countsOf = (limit: RateLimit): Counts => {
    const known = byLimit.get(limit)
    if (known !== undefined) return known
    const name = [limit.name, limit.limit, limit.periodMs, limit.burst ?? limit.limit].join(' ')
    const counts = byName.get(name) ?? { meter: exactMeter(limit), levels: new Map() }
    byName.set(name, counts)
    byLimit.set(limit, counts)
    return counts
  }

  const put = ({ meter, levels }: Counts, key: string, level: Level) => {
    levels.delete(key)
    levels.set(key, level)
    let looks = sweptByTake
    for (const [oldest, old] of levels) {
      if (levels.size <= maxKeys && (looks === 0 || drained(old, level.atMs, meter) > 0)) break
      levels.delete(oldest)
      looks -= 1
    }
  }

  return {
    take: (limit, longKey, count = 1) => {
      const counts = countsOf(limit)
      const { meter, levels } = counts
      const cost = meter.cost * count
      const key = shortened(longKey)
      const nowMs = clock()
      const level = levels.get(key)
      const fill = level === undefined ? 0 : drained(level, nowMs, meter)
      const isAllowed = hasRoom(fill, { ...meter, cost })
      const after = isAllowed ? fill + cost : fill
      put(counts, key, { atMs: nowMs, fill: after })
      return decisionOf(limit, { isAllowed, fill: after }, meter)
    },
    peek: (limit, key) => {
      const { meter, levels } = countsOf(limit)
      const level = levels.get(shortened(key))
      const fill = level === undefined ? 0 : drained(level, clock(), meter)
      return decisionOf(limit, { isAllowed: hasRoom(fill, meter), fill }, meter)
    },
    reset: (limit, key) => void countsOf(limit).levels.delete(shortened(key)),
    size: () => [...byName.values()].reduce((sum, { levels }) => sum + levels.size, 0),
    close: async () => byName.clear(),
  }
}

function shortened(key: string): string {
  return key.length <= maxKeyLength ? key : hash('sha256', key, 'base64url')
}
