import { GatewayError, type RateDecision, type RateLimit, type RateLimiter } from '@engine/core'
import type { Rate } from '@engine/core/server'

/** @param share of the limit that may be used at once. */
export function namedLimit(name: string, { limit, periodMs }: Rate, share = 1): RateLimit {
  return { name, limit, periodMs, burst: Math.max(1, Math.ceil(limit * share)) }
}

/** @throws {GatewayError} `rateLimited`. */
export async function takeOrRefuse(
  limiter: RateLimiter,
  limit: RateLimit,
  key: string,
): Promise<void> {
  const decision = await limiter.take(limit, key)
  if (!decision.isAllowed) throw tooMany(decision)
}

export function tooMany(rate: RateDecision): GatewayError {
  return new GatewayError('rateLimited', 'Too many attempts. Try again later.', { rate })
}
