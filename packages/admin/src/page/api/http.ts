/** @module Requests to `/admin/api` with the session cookie. */

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

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** The page sends it by itself: it does not keep the session alive. */
  readonly isBackground?: boolean
  readonly signal?: AbortSignal
  /** The revision of the stored configuration that a change starts from. */
  readonly ifMatch?: number | undefined
}

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

/** The address of a route, for links. */
export function apiUrl(path: string, query: RequestOptions['query'] = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(entries).toString()
  return `${api}${path}${text === '' ? '' : `?${text}`}`
}

/** @throws {ApiError} for every answer that is not 2xx, and without an answer. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  return (await requestRevised<Answer>(path, options)).value
}

/** @throws {ApiError} as `request`. */
export async function requestRevised<Answer>(
  path: string,
  options: RequestOptions = {},
): Promise<Revised<Answer>> {
  const { method = 'GET', body, query, isBackground = false, signal, ifMatch } = options
  let response: Response
  try {
    response = await fetch(apiUrl(path, query), {
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
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError(0, { message: 'The server cannot be reached.' })
  }
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) {
    const revision = /^(?:W\/)?"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]
    return {
      value: answer as Answer,
      revision: revision === undefined ? undefined : Number(revision),
    }
  }
  if (response.status === 401 && !path.startsWith('/sign-in')) onSignedOut()
  throw new ApiError(response.status, (answer ?? {}) as Readonly<Record<string, unknown>>)
}
