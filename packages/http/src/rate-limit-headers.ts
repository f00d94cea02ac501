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
  const [nearest] = decisions.toSorted((a, b) => a.remaining - b.remaining)
  if (nearest === undefined) return {}
  const refused = decisions.filter(({ isAllowed }) => !isAllowed)
  const retryAfter = Math.max(...refused.map(({ retryAfterMs }) => wholeSeconds(retryAfterMs)), 1)
  return {
    'RateLimit-Policy': decisions.map(policy).join(', '),
    RateLimit: decisions.map(state).join(', '),
    'RateLimit-Limit': String(nearest.limit.limit),
    'RateLimit-Remaining': String(nearest.remaining),
    'RateLimit-Reset': String(wholeSeconds(nearest.resetMs)),
    ...(refused.length === 0 ? {} : { 'Retry-After': String(retryAfter) }),
  }
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
