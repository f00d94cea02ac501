import type { Limits } from '../../config/settings.ts'
import type { Log } from '../../foundation/log.ts'
import type { RateLimiter } from '../../foundation/rate-limiter.ts'
import type { Store } from '../store/store.ts'
import { createFallbackRateLimiter } from './fallback-rate-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import {
  createStoreRateLimiter,
  rateLimitMigrations,
  type StoreRateLimiter,
} from './store-rate-limiter.ts'

export interface RateLimiterOptions {
  readonly limits: Pick<Limits, 'rateLimitStore'>
  /** The service database where one is open; counts are kept in it when nodes share it. */
  readonly store: Store | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Log
}

/** How often what has drained is deleted, in milliseconds; each node adds up to as much at random. */
const sweepMs = 60_000

/**
 * Counts where the configuration says: Redis, the service database that nodes share, or this process.
 *
 * @throws {GatewayError} `invalidConfiguration` when the package `@redis/client` is wanted and not installed.
 */
export async function createRateLimiter({
  limits: { rateLimitStore },
  store,
  clock,
  log,
}: RateLimiterOptions): Promise<RateLimiter> {
  if (rateLimitStore !== undefined) {
    const shared = await createRedisRateLimiter({ url: rateLimitStore, log })
    return createFallbackRateLimiter({ shared, clock, log })
  }
  if (store?.isShared !== true) return createMemoryRateLimiter({ clock })
  await store.migrate(rateLimitMigrations)
  const shared = createStoreRateLimiter({ store, clock })
  const limiter = createFallbackRateLimiter({ shared, clock, log })
  const stopSweeping = keepSweeping(shared, log)
  return {
    ...limiter,
    close: async () => {
      await stopSweeping()
      await limiter.close()
    },
  }
}

/** @returns ends it, waiting for a sweep that runs. */
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
