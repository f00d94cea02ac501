/** @module Rate limits by the generic cell rate algorithm, wherever its times are stored. */

/** A number of requests in a period, evenly spread; `burst` of them may come at once. */
export interface RateLimit {
  /** Part of the key, so that limits do not share counts: `user`, `ip`, `sign-in-ip`. */
  readonly name: string
  readonly limit: number
  readonly periodMs: number
  /** Default: `limit`. */
  readonly burst?: number
  /**
   * The behaviour while the store of shared counts cannot be reached. `refuse` (default): `take` throws `unavailable` (503), for
   * limits that protect passwords and tokens. `count-locally`: each node counts by itself meanwhile, for limits that only
   * distribute load.
   */
  readonly whenAway?: 'refuse' | 'count-locally'
}

/** Is a request within its rate limit, and how many more may come? */
export interface RateDecision {
  readonly isAllowed: boolean
  readonly limit: RateLimit
  /** How many more may come now. */
  readonly remaining: number
  /** Milliseconds until the whole burst is free again. */
  readonly resetMs: number
  /** Milliseconds until the next one is allowed; 0 when one is now. */
  readonly retryAfterMs: number
}

/** A refusal changes nothing: it does not extend the waiting time. Keys may have any content and length. */
export interface RateLimiter {
  /**
   * Counts one request if the limit allows it.
   *
   * @throws {GatewayError} `unavailable` (503), see `whenAway`.
   */
  take(limit: RateLimit, key: string): Promise<RateDecision> | RateDecision
  /** The result that `take` would have, without counting. */
  peek(limit: RateLimit, key: string): Promise<RateDecision> | RateDecision
  /** Forgets a key. */
  reset(limit: RateLimit, key: string): Promise<void> | void
  close(): Promise<void>
}
