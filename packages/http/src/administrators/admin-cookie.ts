/** @module The cookie of an administrator's session, and which requests with it are the pages' own. */
import { GatewayError } from '@engine/core'

/** Browsers accept this name with `Secure`, `Path=/` and no `Domain` only: no other host can set it. */
const secureName = '__Host-engine_admin'

/** On `http://localhost` some browsers refuse `Secure`. */
const plainName = 'engine_admin'

/** A header that forms and links of other pages cannot send. `background`: the request does not keep the session alive. */
const ownHeader = 'x-engine-admin'

const token = /^[\w-]{43}$/

/** The token of the session cookie; undefined when the request has none. */
export function sessionToken(request: Request): string | undefined {
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(/; */).map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
  const value = cookies.get(secureName) ?? (isLoopback(request) ? cookies.get(plainName) : '')
  return value !== undefined && token.test(value) ? value : undefined
}

/** The values of `Set-Cookie`: a session cookie, gone with the browser. */
export function sessionCookie(request: Request, value: string): string {
  return isPlain(request)
    ? `${plainName}=${value}; Path=/; HttpOnly; SameSite=Strict`
    : `${secureName}=${value}; Path=/; HttpOnly; SameSite=Strict; Secure`
}

export function removedCookie(request: Request): string {
  return `${sessionCookie(request, '')}; Max-Age=0`
}

export function isBackground(request: Request): boolean {
  return request.headers.get(ownHeader) === 'background'
}

/**
 * A browser sends the cookie by itself, so the request must come from a page of this origin.
 *
 * @throws {GatewayError} `permissionDenied` (403) for a request of another site.
 */
export function requireOwnPage(request: Request): void {
  const { headers, method } = request
  const site = headers.get('sec-fetch-site')
  const isRead = method === 'GET' || method === 'HEAD'
  // `none`: typed into the address bar, or a bookmark.
  const isOwn = site === 'same-origin' || (isRead && (site === 'none' || site === null))
  const isSameOrigin = site === null && hostOf(headers.get('origin')) === hostHeader(request)
  if ((isOwn || isSameOrigin) && (isRead || headers.has(ownHeader))) return
  throw new GatewayError(
    'permissionDenied',
    `A request with the session cookie must come from a page of this origin, with the header ${ownHeader}.`,
    { publicMessage: 'The request comes from another site.' },
  )
}

/** `http` on this machine: there `Secure` is not needed. Behind a proxy that ends TLS, the origin says `https`. */
function isPlain(request: Request): boolean {
  return isLoopback(request) && request.headers.get('origin')?.startsWith('https:') !== true
}

function isLoopback(request: Request): boolean {
  if (new URL(request.url).protocol === 'https:') return false
  const host = hostHeader(request)?.replace(/:\d+$/, '') ?? ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function hostHeader(request: Request): string | undefined {
  return request.headers.get('host') ?? new URL(request.url).host
}

function hostOf(origin: string | null): string | undefined {
  return origin !== null && URL.canParse(origin) ? new URL(origin).host : undefined
}
