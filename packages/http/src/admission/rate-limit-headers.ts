import type { RateDecision, RateLimit } from '@engine/core'

/**
 * `RateLimit-Policy: "user";q=60;w=60` and `RateLimit: "user";r=12;t=3` for each limit that counted the request. The
 * limit with the fewest remaining requests is repeated as `RateLimit-Limit`, `RateLimit-Remaining` and
 * `RateLimit-Reset`, which many clients read instead; with `Retry-After` in whole seconds, at least one, when the
 * request was refused.
 *
 * @param headers receives them, and is returned.
 * @see draft-ietf-httpapi-ratelimit-headers (the three: its version 6): q and r are requests, w and t seconds.
 */
export function rateLimitHeaders(
  decisions: readonly RateDecision[],
  headers: Record<string, string> = {},
): Record<string, string> {
  const [first] = decisions
  if (first === undefined) return headers
  let nearest = first
  let allPolicies = ''
  let states = ''
  let retryAfter = 0
  for (const decision of decisions) {
    const separator = states === '' ? '' : ', '
    if (decision.remaining < nearest.remaining) nearest = decision
    allPolicies += separator + policy(decision)
    states += separator + state(decision)
    if (decision.isAllowed) continue
    retryAfter = Math.max(retryAfter, wholeSeconds(decision.retryAfterMs), 1)
  }
  headers['RateLimit-Policy'] = allPolicies
  headers['RateLimit'] = states
  headers['RateLimit-Limit'] = String(nearest.limit.limit)
  headers['RateLimit-Remaining'] = String(nearest.remaining)
  headers['RateLimit-Reset'] = String(wholeSeconds(nearest.resetMs))
  if (retryAfter > 0) headers['Retry-After'] = String(retryAfter)
  return headers
}

const policies = new WeakMap<RateLimit, string>()

/** The same for every decision about a limit. */
function policy({ limit }: RateDecision): string {
  const known = policies.get(limit)
  if (known !== undefined) return known
  const text = `"${limit.name}";q=${limit.limit};w=${wholeSeconds(limit.periodMs)}`
  policies.set(limit, text)
  return text
}

function state({ limit: { name }, remaining, resetMs }: RateDecision): string {
  return `"${name}";r=${remaining};t=${wholeSeconds(resetMs)}`
}

function wholeSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000)
}
