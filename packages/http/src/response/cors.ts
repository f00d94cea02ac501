/**
 * @module Decides which pages of other origins may read answers (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
import type { SecuritySettings } from '@engine/core/server'
import type { Headers } from './common-headers.ts'

export interface CrossOrigin {
  /** The headers for a page of this origin; `null` is a request without `Origin`. */
  headersFor(origin: string | null): Headers
  /**
   * The headers of the answer to a preflight, in addition to `headersFor`.
   *
   * @param requested `Access-Control-Request-Headers` as sent.
   */
  preflightFor(origin: string | null, requested: string | null): Headers
}

/** Our headers that scripts may read. */
const exposed = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Rows-Truncated',
  'X-Rows-Filtered',
  'ETag',
  'X-Schema-Incomplete',
].join(', ')

const methods = 'GET, POST, PUT, PATCH, DELETE'

const usual = ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id', 'traceparent']

/** Maximum number of requested header names that a preflight allows, so that an answer stays small. */
const mostRequested = 50

/**
 * Origins are compared as texts, exactly. A page of an origin that is not listed gets no CORS header at all; a listed
 * origin gets only itself in the answer, never a list. `Vary` keeps caches from mixing the two up.
 *
 * @returns undefined where no origin is configured.
 */
export function createCrossOrigin(cors: SecuritySettings['cors']): CrossOrigin | undefined {
  if (cors === undefined) return undefined
  const { origins, credentials, maxAgeSeconds } = cors
  const otherOrigin: Headers = { Vary: 'Origin' }
  const allowedOrigins = new Map<string, Headers>(
    origins.map((origin) => [
      origin,
      {
        'Access-Control-Allow-Origin': origin,
        ...(credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
        'Access-Control-Expose-Headers': exposed,
        Vary: 'Origin',
      },
    ]),
  )
  const everyOrigin = allowedOrigins.get('*')
  const find = (origin: string | null) =>
    origin === null ? undefined : (everyOrigin ?? allowedOrigins.get(origin))
  return {
    headersFor: (origin) => find(origin) ?? otherOrigin,
    preflightFor: (origin, requested) =>
      find(origin) === undefined
        ? {}
        : {
            'Access-Control-Allow-Methods': methods,
            'Access-Control-Allow-Headers': allowedHeaders(requested),
            'Access-Control-Max-Age': String(maxAgeSeconds),
            Vary: 'Origin, Access-Control-Request-Headers',
          },
  }
}

/** Headers that an allowed origin may send: the usual ones, and any requested header with a valid name. They do not affect security. */
function allowedHeaders(requested: string | null): string {
  const names = new Map(usual.map((name) => [name.toLowerCase(), name]))
  for (const part of (requested ?? '').split(',', mostRequested)) {
    const name = part.trim()
    if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name)) continue
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  return [...names.values()].join(', ')
}
