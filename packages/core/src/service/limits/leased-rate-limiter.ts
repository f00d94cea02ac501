/**
 * @module Takes from shared counts in advance: a node takes several requests of a caller at once and hands them out without asking,
 * so that a request of a busy caller waits for nothing.
 */
import type { RateDecision, RateLimit, RateLimiter } from '../../foundation/rate-limiter.ts'

/** A rate limiter of counts that nodes share. */
export interface SharedRateLimiter extends RateLimiter {
  /** @param count takes so many at once, or none. Default 1. */
  take(limit: RateLimit, key: string, count?: number): Promise<RateDecision> | RateDecision
}

export interface LeasedRateLimiterOptions {
  readonly shared: SharedRateLimiter
  /** Milliseconds of any origin, never set back. */
  readonly elapsedMs?: () => number
}

/** The part of a limit's burst that one node may have in advance, and the most requests. */
const leasedPart = 1 / 20
const mostLeased = 1_000

/** The part of what the shared counts have left that is leased: near the limit nodes take one at a time. */
const remainingPart = 1 / 8

/** Requests that were taken in advance and are not used within this time are lost, in milliseconds. */
const leaseMs = 1_000

/** A lease that is used up within this time is followed by one of twice the size. */
const quickMs = 200

/** The number of callers with leases for each limit; those whose lease is oldest are forgotten first. */
const mostCallers = 50_000

interface Lease {
  /** Requests that may be let through without asking. */
  left: number
  /** The size of the last lease. */
  size: number
  /** The last decision of the shared counts, and when it was made. */
  decision: RateDecision | undefined
  atMs: number
  /** A running request for the next lease. */
  pending: Promise<void> | undefined
}

/**
 * Only for limits that distribute load; others are asked each time. A limit of less than forty at once is never leased. A caller
 * that spreads its requests over nodes is refused early by at most what the other nodes have in advance: a twentieth of the
 * limit each. It is never let through more often than the limit says, but for what a node took up to a second before.
 */
export function createLeasedRateLimiter({
  shared,
  elapsedMs = () => performance.now(),
}: LeasedRateLimiterOptions): RateLimiter {
  const leases = new WeakMap<RateLimit, Map<string, Lease>>()
  const leasesOf = (limit: RateLimit): Map<string, Lease> => {
    const known = leases.get(limit) ?? new Map<string, Lease>()
    leases.set(limit, known)
    return known
  }
  const leaseOf = (limit: RateLimit, key: string): Lease => {
    const known = leasesOf(limit)
    const found = known.get(key)
    if (found !== undefined) return found
    const lease: Lease = {
      left: 0,
      size: 0,
      decision: undefined,
      atMs: Number.NEGATIVE_INFINITY,
      pending: undefined,
    }
    known.set(key, lease)
    const [oldest] = known.keys()
    if (known.size > mostCallers && oldest !== undefined) known.delete(oldest)
    return lease
  }

  /** Replaces what is left by a new lease, or records the refusal. */
  const renew = async (limit: RateLimit, key: string, lease: Lease): Promise<void> => {
    const isQuick = elapsedMs() - lease.atMs < quickMs
    const wanted = isQuick ? lease.size * 2 : lease.size / 2
    const near = Math.floor((lease.decision?.remaining ?? 0) * remainingPart)
    let size = Math.max(1, Math.min(Math.floor(wanted), mostAtOnce(limit), near))
    let decision = await shared.take(limit, key, size)
    if (!decision.isAllowed && size > 1) {
      size = 1
      decision = await shared.take(limit, key)
    }
    const nowMs = elapsedMs()
    if (nowMs - lease.atMs >= leaseMs) lease.left = 0
    if (decision.isAllowed) lease.left += size
    lease.size = size
    lease.decision = decision
    lease.atMs = nowMs
  }
  const renewOnce = (limit: RateLimit, key: string, lease: Lease): Promise<void> => {
    lease.pending ??= renew(limit, key, lease).finally(() => {
      lease.pending = undefined
    })
    return lease.pending
  }

  const take = (limit: RateLimit, key: string): RateDecision | Promise<RateDecision> => {
    const lease = leaseOf(limit, key)
    const { decision } = lease
    const ageMs = elapsedMs() - lease.atMs
    if (decision !== undefined && ageMs < leaseMs) {
      if (lease.left > 0) {
        lease.left -= 1
        if (lease.left * 2 < lease.size && lease.size > 1) {
          // A failure is that of the request that finds nothing left.
          renewOnce(limit, key, lease).catch(() => undefined)
        }
        return allowed(decision, lease.left, ageMs)
      }
      if (!decision.isAllowed && ageMs < decision.retryAfterMs) return refused(decision, ageMs)
    }
    return renewOnce(limit, key, lease).then(() => take(limit, key))
  }

  return {
    take: (limit, key) =>
      limit.whenAway === 'count-locally' && mostAtOnce(limit) > 1
        ? take(limit, key)
        : shared.take(limit, key),
    peek: (limit, key) => shared.peek(limit, key),
    reset: (limit, key) => {
      leasesOf(limit).delete(key)
      return shared.reset(limit, key)
    },
    close: () => shared.close(),
  }
}

function mostAtOnce({ limit, burst = limit }: RateLimit): number {
  return Math.min(mostLeased, Math.floor(burst * leasedPart))
}

function allowed(decision: RateDecision, left: number, ageMs: number): RateDecision {
  const { limit, remaining, resetMs } = decision
  return {
    isAllowed: true,
    limit,
    remaining: remaining + left,
    resetMs: Math.max(0, Math.ceil(resetMs - ageMs)),
    retryAfterMs: 0,
  }
}

function refused(decision: RateDecision, ageMs: number): RateDecision {
  const { limit, remaining, resetMs, retryAfterMs } = decision
  return {
    isAllowed: false,
    limit,
    remaining,
    resetMs: Math.max(0, Math.ceil(resetMs - ageMs)),
    retryAfterMs: Math.max(1, Math.ceil(retryAfterMs - ageMs)),
  }
}
