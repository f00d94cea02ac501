/** @module Rate limits counted in the service database, for nodes that share it. */
import { hash } from 'node:crypto'
import type { RateDecision, RateLimit } from '../../foundation/rate-limiter.ts'
import { columnTypes } from '../store/column-types.ts'
import type { Migration, Store } from '../store/store.ts'
import { isPassing } from '../store/store-error.ts'
import { decisionOf, hasRoom, type Meter, nanosecondMeter } from './gcra.ts'
import type { SharedRateLimiter } from './leased-rate-limiter.ts'
import { counting, type RateLimitTables } from './store-counting.ts'

/** What a rate limiter in the service database works with. */
export interface StoreRateLimiterOptions {
  readonly store: Store
  /** Milliseconds since 1970. Used with SQLite only; servers use their own clock, so that the nodes' clocks may differ. */
  readonly clock: () => number
}

/** A rate limiter whose expired keys can be deleted. */
export interface StoreRateLimiter extends SharedRateLimiter {
  take(limit: RateLimit, key: string, count?: number): Promise<RateDecision>
  peek(limit: RateLimit, key: string): Promise<RateDecision>
  reset(limit: RateLimit, key: string): Promise<void>
  /**
   * Deletes empty buckets, a few rows at a time, without locking rows in use.
   *
   * @returns the number of deleted rows.
   */
  sweep(): Promise<number>
}

/** Keys are stored as digests: a key of any length fits, and the table does not reveal who signs in. */
export const rateLimitMigrations: readonly Migration[] = [
  {
    name: 'core/rate-limits-0001',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_rate_limits')
        .ifNotExists()
        .addColumn('key_hash', types.id, (column) => column.primaryKey())
        // Theoretical arrival time, nanoseconds since 1970: the time at which the bucket is empty.
        .addColumn('tat', types.count, (column) => column.notNull())
        .execute()
    },
  },
]

/** The most attempts when the database aborts a statement because of others. */
const mostAttempts = 5

/** Rows deleted by one statement of a sweep, and statements of one sweep. */
const swept = { rows: 500, batches: 40 }

/**
 * One statement for each take: it decides and counts at once, so that no more takes are admitted, however many nodes there are. A
 * refusal writes nothing.
 */
export function createStoreRateLimiter({
  store,
  clock,
}: StoreRateLimiterOptions): StoreRateLimiter {
  const database = store.withTables<RateLimitTables>()
  const { takeOne, levelOf, expired, remove } = counting(store.kind, database)
  const meters = new WeakMap<RateLimit, Meter>()
  const meterOf = (limit: RateLimit): Meter => {
    const known = meters.get(limit) ?? nanosecondMeter(limit)
    meters.set(limit, known)
    return known
  }
  return {
    take: async (limit, key, count = 1) => {
      const meter = meterOf(limit)
      const keyHash = digest(limit, key)
      const whole = { ...meter, cost: meter.cost * count }
      const taken = await insistently(() => takeOne({ keyHash, meter: whole, nowMs: clock() }))
      return decisionOf(limit, taken, meter)
    },
    peek: async (limit, key) => {
      const meter = meterOf(limit)
      const fill = (await levelOf(digest(limit, key), clock())) ?? 0
      return decisionOf(limit, { isAllowed: hasRoom(fill, meter), fill }, meter)
    },
    reset: async (limit, key) => insistently(() => remove([digest(limit, key)], undefined)),
    sweep: async () => {
      let rows = 0
      for (let batch = 0; batch < swept.batches; batch += 1) {
        const nowMs = clock()
        const keys = await expired(swept.rows, nowMs)
        if (keys.length > 0) await insistently(() => remove(keys, nowMs))
        rows += keys.length
        if (keys.length < swept.rows) break
      }
      return rows
    },
    close: async () => undefined,
  }
}

/** A changed limit starts with an empty count: the count of the old one does not apply to it. */
function digest({ name, limit, periodMs, burst = limit }: RateLimit, key: string): string {
  return hash('sha256', JSON.stringify([name, limit, periodMs, burst, key]), 'base64url')
}

async function insistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || attempt === mostAttempts) throw error
    }
  }
}
