/**
 * @module The generic cell rate algorithm as a leaky bucket: each take adds its cost, time drains the bucket evenly, and a take
 * that would overflow it is refused. All amounts are whole numbers, so rounding neither adds nor loses anything.
 */
import type { RateDecision, RateLimit } from '../../foundation/rate-limiter.ts'

/** A limit in units of its own. */
export interface Meter {
  /** Units that one take adds. */
  readonly cost: number
  /** Units that fit. */
  readonly capacity: number
  /** Units that drain away in a millisecond. */
  readonly perMs: number
}

/** The fill level of a bucket at a point in time. */
export interface Level {
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** Units, 0 to `capacity`. */
  readonly fill: number
}

/**
 * Without any rounding: a unit is a millisecond divided by the limit.
 *
 * @throws {RangeError} when the limit's numbers are not positive integers, or too large.
 */
export function exactMeter(limit: RateLimit): Meter {
  const { periodMs, burst = limit.limit } = limit
  const meter = { cost: periodMs, capacity: burst * periodMs, perMs: limit.limit }
  return checked(meter, limit)
}

/**
 * In nanoseconds for any limit, for counts in a column that several limits share. Rounded up: if a limit does not divide its
 * period, each take costs less than a nanosecond too much.
 *
 * @throws {RangeError} like `exactMeter`.
 */
export function nanosecondMeter(limit: RateLimit): Meter {
  const cost = Math.ceil((limit.periodMs * 1_000_000) / limit.limit)
  return checked({ cost, capacity: (limit.burst ?? limit.limit) * cost, perMs: 1_000_000 }, limit)
}

function checked(meter: Meter, { name }: RateLimit): Meter {
  const isWhole = Object.values(meter).every((units) => Number.isSafeInteger(units) && units > 0)
  if (!isWhole)
    throw new RangeError(`the rate limit "${name}" is no positive whole number, or too large`)
  return meter
}

/** The level at a later time. A clock that was set back drains nothing, and locks no caller out. */
export function drained({ atMs, fill }: Level, nowMs: number, { perMs }: Meter): number {
  return nowMs <= atMs ? fill : Math.max(0, fill - (nowMs - atMs) * perMs)
}

/** Whether one more fits. */
export function hasRoom(fill: number, { cost, capacity }: Meter): boolean {
  return fill + cost <= capacity
}

/** @param fill units after the decision. */
export function decisionOf(
  limit: RateLimit,
  { isAllowed, fill }: { readonly isAllowed: boolean; readonly fill: number },
  { cost, capacity, perMs }: Meter,
): RateDecision {
  return {
    isAllowed,
    limit,
    remaining: Math.max(0, Math.floor((capacity - fill) / cost)),
    resetMs: Math.ceil(fill / perMs),
    retryAfterMs: Math.max(0, Math.ceil((fill + cost - capacity) / perMs)),
  }
}
