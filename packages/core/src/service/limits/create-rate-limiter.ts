import type { Limits } from '../../config/settings/settings.ts'
import type { Log } from '../../foundation/log.ts'
import type { RateLimiter } from '../../foundation/rate-limiter.ts'
import type { Store } from '../store/store.ts'
import { createFallbackRateLimiter } from './fallback-rate-limiter.ts'
import { createLeasedRateLimiter, type SharedRateLimiter } from './leased-rate-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import {
  createStoreRateLimiter,
  rateLimitMigrations,
  type StoreRateLimiter,
} from './store-rate-limiter.ts'

export interface RateLimiterOptions {
  readonly limits: Pick<Limits, 'rateLimitStore'>
  /** The service database where one is open; nodes that share it count in it. */
  readonly store: Store | undefined
  /** Counts that the processes of this machine share, instead of counts of this process or in a file. */
  readonly machineCounts?: SharedRateLimiter | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Log
}

/** Interval for deleting empty buckets, in milliseconds; each node adds up to the same time at random. */
const sweepMs = 60_000

/**
 * Counts in the place that the configuration names: Redis, the service database that nodes share, or this process.
 *
 * @throws {GatewayError} `invalidConfiguration` when the package `@redis/client` is needed and not installed.
 */
export async function createRateLimiter({
  limits: { rateLimitStore },
  store,
  machineCounts,
  clock,
  log,
}: RateLimiterOptions): Promise<RateLimiter> {
  if (rateLimitStore !== undefined) {
    const redis = await createRedisRateLimiter({ url: rateLimitStore, log })
    const shared = createLeasedRateLimiter({ shared: redis })
    return createFallbackRateLimiter({ shared, clock, log })
  }
  if (machineCounts !== undefined && (store === undefined || store.kind === 'sqlite')) {
    const shared = createLeasedRateLimiter({ shared: machineCounts })
    return createFallbackRateLimiter({ shared, clock, log })
  }
  if (store?.isShared !== true) return createMemoryRateLimiter({ clock })
  await store.migrate(rateLimitMigrations)
  const counts = createStoreRateLimiter({ store, clock })
  const shared = createLeasedRateLimiter({ shared: counts })
  const limiter = createFallbackRateLimiter({ shared, clock, log })
  const stopSweeping = keepSweeping(counts, log)
  return {
    ...limiter,
    close: async () => {
      await stopSweeping()
      await limiter.close()
    },
  }
}

/** @returns a function that stops it and waits for a running sweep. */
function keepSweeping(limiter: StoreRateLimiter, log: Log): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isEnded = false
  const sweep = async () => {
    try {
      await limiter.sweep()
    } catch (err) {
      log.debug({ err }, 'old rate limits could not be deleted')
    }
  }
  const plan = () => {
    if (isEnded) return
    timer = setTimeout(
      () => {
        running = sweep().then(plan)
      },
      sweepMs * (1 + Math.random()),
    ).unref()
  }
  plan()
  return async () => {
    isEnded = true
    clearTimeout(timer)
    await running
  }
}
