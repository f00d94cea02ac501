/** @module Requests to `/admin/api` with the session cookie. */
import type { AdminApi, AdminRouteName } from '@engine/contract/admin-api'
import { noteLost, noteReached } from './reach.ts'

/** The address of `/admin`: the engine may be served below a path of its host. */
export const base: string = import.meta.env.DEV
  ? ''
  : new URL(import.meta.url).pathname.replace(/\/assets\/[^/]*$/, '')

const api = import.meta.env.DEV ? '/admin/api' : `${base}/api`

/** An error answer of the server; `status` is 0 when there was no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: unknown

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body['message'] === 'string' ? body['message'] : `The server answered ${status}.`)
    this.status = status
    this.code = typeof body['error'] === 'string' ? body['error'] : 'NETWORK_ERROR'
    this.requestId = typeof body['correlation_id'] === 'string' ? body['correlation_id'] : ''
    this.details = body['details']
  }
}

export interface AnyRequest {
  readonly body?: unknown
  /** Values that are undefined or empty are left out; `URLSearchParams` are sent as they are. */
  readonly query?:
    | Readonly<Record<string, string | number | undefined>>
    | URLSearchParams
    | undefined
  /** The page sends it by itself: it does not keep the session alive, and waits no longer than half a minute. */
  readonly isBackground?: boolean
  /** The revision of the stored configuration that a change starts from. */
  readonly ifMatch?: number | undefined
}

/** `id` of `DELETE /sessions/:id`. */
type ParameterOf<Route extends string> = Route extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<`/${More}`>
    : Rest
  : never

/**
 * A request to a route. What may change something can be cancelled: the signal comes from `useSubmit`, or from the query that
 * sends it.
 */
export type RequestTo<Route extends AdminRouteName> = AnyRequest &
  (Route extends `GET ${string}`
    ? { readonly signal?: AbortSignal }
    : { readonly signal: AbortSignal }) &
  ([ParameterOf<Route>] extends [never]
    ? { readonly params?: undefined }
    : { readonly params: Readonly<Record<ParameterOf<Route>, string | number>> })

/** An answer with the number of the revision in its `ETag`; undefined where code defines the configuration. */
export interface Revised<Answer> {
  readonly value: Answer
  readonly revision: number | undefined
}

let onSignedOut: () => void = () => undefined

/** @param listener is called when the server no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** The address of a route that is read, for links. */
export function apiUrl(
  route: AdminRouteName & `GET ${string}`,
  query: AnyRequest['query'] = {},
): string {
  return urlOf(route.slice('GET '.length), query)
}

function urlOf(path: string, query: AnyRequest['query'] = {}): string {
  if (query instanceof URLSearchParams) return `${api}${path}?${query}`
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(entries).toString()
  return `${api}${path}${text === '' ? '' : `?${text}`}`
}

/** @throws {ApiError} for every answer that is not 2xx, and without an answer. */
export async function request<Route extends AdminRouteName>(
  route: Route,
  options: RequestTo<Route>,
): Promise<AdminApi[Route]> {
  return (await requestRevised(route, options)).value
}

/** @throws {ApiError} as `request`. */
export async function requestRevised<Route extends AdminRouteName>(
  route: Route,
  options: RequestTo<Route>,
): Promise<Revised<AdminApi[Route]>> {
  const [method = '', pattern = ''] = route.split(' ')
  const params: Readonly<Record<string, string | number>> = options.params ?? {}
  const path = pattern.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const { body, query, isBackground = false, ifMatch } = options
  const signal = isBackground ? withDeadline(options.signal) : options.signal
  let response: Response
  let text: string
  try {
    response = await fetch(urlOf(path, query), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        'X-Engine-Admin': isBackground ? 'background' : 'page',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    text = await response.text()
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    noteLost()
    throw new ApiError(0, { message: 'The server cannot be reached.' })
  }
  const answer = jsonIn(text)
  if (isOfProxy(response.status, answer)) {
    noteLost()
    throw new ApiError(0, {
      message: `The server cannot be reached: what is before it answers ${response.status}.`,
    })
  }
  noteReached()
  if (response.ok) {
    const revision = /^(?:W\/)?"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]
    return {
      value: answer as AdminApi[Route],
      revision: revision === undefined ? undefined : Number(revision),
    }
  }
  const isSignedOut = response.status === 401 && !path.startsWith('/sign-in')
  if (isSignedOut && !isOfSubject(answer)) onSignedOut()
  throw new ApiError(response.status, (answer ?? {}) as Readonly<Record<string, unknown>>)
}

/** How long a request waits that the page sends by itself, in milliseconds. */
const backgroundMs = 30_000

function withDeadline(signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(backgroundMs)
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline])
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The engine names its errors; a proxy without an engine behind it answers in its own words. */
function isOfProxy(status: number, answer: unknown): boolean {
  const isGateway = status === 502 || status === 503 || status === 504
  return isGateway && typeof (answer as { readonly error?: unknown } | null)?.error !== 'string'
}

/** A refusal of the caller as whom the administrator asks, not of the administrator. */
function isOfSubject(answer: unknown): boolean {
  const { details } = (answer ?? {}) as { readonly details?: { readonly subject?: unknown } }
  return details?.subject !== undefined
}
