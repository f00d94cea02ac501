/** @module How often something may happen: the generic cell rate algorithm, wherever its times are kept. */

/** So many in a period, evenly; `burst` of them may come at once. */
export interface RateLimit {
  /** Part of the key, so that limits do not share counts: `user`, `ip`, `sign-in-ip`. */
  readonly name: string
  readonly limit: number
  readonly periodMs: number
  /** Default: `limit`. */
  readonly burst?: number
  /**
   * What happens while the place of shared counts cannot be reached. `refuse` (default): `take` throws `unavailable`
   * (503), for what guards passwords and tokens. `count-locally`: each node counts by itself meanwhile, for what only
   * shares out the load.
   */
  readonly whenAway?: 'refuse' | 'count-locally'
}

/** Whether a request is within its rate limit, and what is left of it. */
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

/** A refusal changes nothing: it does not prolong itself. Keys may be anything of any length. */
export interface RateLimiter {
  /**
   * Takes one if it is free.
   *
   * @throws {GatewayError} `unavailable` (503), see `whenAway`.
   */
  take(limit: RateLimit, key: string): Promise<RateDecision> | RateDecision
  /** What `take` would say, without taking. */
  peek(limit: RateLimit, key: string): Promise<RateDecision> | RateDecision
  /** Forgets a key. */
  reset(limit: RateLimit, key: string): Promise<void> | void
  close(): Promise<void>
}
