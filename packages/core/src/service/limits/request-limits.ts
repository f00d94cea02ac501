import type { ClientInfo } from '../../config/options/auth-provider.ts'
import type { Limits } from '../../config/settings/settings.ts'
import { addressKey } from '../../foundation/address-key.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { RateDecision, RateLimit, RateLimiter } from '../../foundation/rate-limiter.ts'

/** `limits.rateLimitPerIP` and `limits.rateLimitPerUser`, for every kind of request. */
export interface RequestLimits {
  /** False: neither is configured, and no check is needed. */
  readonly isActive: boolean
  /**
   * Counts a request by its address; to be called before the credential is checked.
   *
   * @returns undefined where there is no such limit.
   * @throws {GatewayError} `rateLimited` (429).
   */
  ofClient(client: ClientInfo): Promise<RateDecision> | RateDecision | undefined
  /**
   * Counts a request by its caller: users by their id, anonymous callers by address, the master key never.
   *
   * @returns undefined where there is no such limit.
   * @throws {GatewayError} `rateLimited` (429).
   */
  ofCaller(caller: Caller, client: ClientInfo): Promise<RateDecision> | RateDecision | undefined
}

const minuteMs = 60_000

/** Counts are of requests of the whole service: `/data`, `/data/batch`, `/actions` and the wire protocol share them. */
export function createRequestLimits(
  { rateLimitPerIp, rateLimitPerUser }: Limits,
  limiter: RateLimiter,
): RequestLimits {
  const perIp = perMinute('ip', rateLimitPerIp)
  const perUser = perMinute('user', rateLimitPerUser)
  return {
    isActive: perIp !== undefined || perUser !== undefined,
    ofClient: ({ ip }) => perIp && require(limiter.take(perIp, addressKey(ip))),
    ofCaller: (caller, client) => {
      if (perUser === undefined || caller.kind === 'admin') return undefined
      return require(limiter.take(perUser, callerKey(caller, client)))
    },
  }
}

function perMinute(name: string, limit: number | undefined): RateLimit | undefined {
  if (limit === undefined) return undefined
  return { name, limit, periodMs: minuteMs, whenAway: 'count-locally' }
}

/** A user's id cannot equal the address of an anonymous caller. */
function callerKey(caller: Caller, { ip }: ClientInfo): string {
  return caller.kind === 'user' ? `user ${caller.id}` : `address ${addressKey(ip)}`
}

function require(
  decision: Promise<RateDecision> | RateDecision,
): Promise<RateDecision> | RateDecision {
  return decision instanceof Promise ? decision.then(allowed) : allowed(decision)
}

function allowed(decision: RateDecision): RateDecision {
  if (!decision.isAllowed) throw tooManyRequests(decision)
  return decision
}

/** The error for a caller above its rate limit; it contains the time of the next try. */
export function tooManyRequests(rate: RateDecision, message = 'Too many requests.'): GatewayError {
  return new GatewayError('rateLimited', message, { rate, sqlState: '53400' })
}
