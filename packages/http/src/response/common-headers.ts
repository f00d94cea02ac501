import type { SecuritySettings } from '@engine/core/server'

export type Headers = Readonly<Record<string, string>>

const always: Headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** Answers are data: an answer that is opened as a page, or in a frame, runs no scripts. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * The headers of every answer except those under `/admin`.
 *
 * No `Strict-Transport-Security`: only the proxy that ends TLS knows whether a host has TLS. It can be set in
 * `security.headers`.
 */
export function commonHeaders({ headers }: Pick<SecuritySettings, 'headers'>): Headers {
  return overlaid({ ...always, 'Content-Security-Policy': dataPolicy }, headers)
}

/** The headers of every answer under `/admin`: pages there run only scripts of this server. */
export function adminHeaders({ headers, csp }: Pick<SecuritySettings, 'headers' | 'csp'>): Headers {
  const own: Headers = {
    ...always,
    'Content-Security-Policy': csp,
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  const extra = Object.entries(headers).filter(
    ([name]) => name.toLowerCase() !== 'content-security-policy',
  )
  return overlaid(own, Object.fromEntries(extra))
}

/** Merges headers: where both have a name, the value of `over` is used; names do not differ by case. */
function overlaid(under: Headers, over: Headers): Headers {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()))
  const kept = Object.entries(under).filter(([name]) => !replaced.has(name.toLowerCase()))
  return Object.fromEntries([...kept, ...Object.entries(over)])
}
