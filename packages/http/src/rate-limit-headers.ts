import type { RateDecision } from '@engine/core'

/**
 * `RateLimit-Policy: "user";q=60;w=60` and `RateLimit: "user";r=12;t=3` for each limit that counted the request. The
 * limit with the fewest remaining requests is repeated as `RateLimit-Limit`, `RateLimit-Remaining` and
 * `RateLimit-Reset`, which many clients read instead; with `Retry-After` in whole seconds, at least one, when the
 * request was refused.
 *
 * @see draft-ietf-httpapi-ratelimit-headers (the three: its version 6): q and r are requests, w and t seconds.
 */
export function rateLimitHeaders(
  decisions: readonly RateDecision[],
): Readonly<Record<string, string>> {
  const [first, ...others] = decisions
  if (first === undefined) return {}
  let nearest = first
  let policies = policy(first)
  let states = state(first)
  for (const decision of others) {
    if (decision.remaining < nearest.remaining) nearest = decision
    policies += `, ${policy(decision)}`
    states += `, ${state(decision)}`
  }
  const headers: Record<string, string> = {
    'RateLimit-Policy': policies,
    RateLimit: states,
    'RateLimit-Limit': String(nearest.limit.limit),
    'RateLimit-Remaining': String(nearest.remaining),
    'RateLimit-Reset': String(wholeSeconds(nearest.resetMs)),
  }
  const refused = decisions.filter(({ isAllowed }) => !isAllowed)
  if (refused.length === 0) return headers
  const retryAfter = Math.max(...refused.map(({ retryAfterMs }) => wholeSeconds(retryAfterMs)), 1)
  return { ...headers, 'Retry-After': String(retryAfter) }
}

function policy({ limit: { name, limit, periodMs } }: RateDecision): string {
  return `"${name}";q=${limit};w=${wholeSeconds(periodMs)}`
}

function state({ limit: { name }, remaining, resetMs }: RateDecision): string {
  return `"${name}";r=${remaining};t=${wholeSeconds(resetMs)}`
}

function wholeSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000)
}
