/** @module Requests and answers: tokens, time limits, attempts, errors. */
import type { ErrorBody } from '@engine/contract'
import { EngineError } from '../engine-error.ts'
import { encodeBody } from './encode-body.ts'

/** Where the engine is, and how requests reach it. */
export interface TransportOptions {
  /** Base address of the engine: `https://data.example.com`. */
  readonly url: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Sent with every request, for example an id for tracing. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** How long one attempt may take, in milliseconds; default 60 000. */
  readonly timeoutMs?: number
  /** Attempts after the first one, for requests that can be repeated; default 2. */
  readonly retries?: number
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `/data` */
  readonly path: string
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown
  readonly token?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The request can be repeated without harm. */
  readonly isRepeatable: boolean
}

/**
 * @throws {EngineError} also throws the reason of an aborted signal, and `TypeError` for a request that cannot be sent.
 */
export type Transport = (call: Call) => Promise<unknown>

/** The first pause between attempts, in milliseconds, doubled each time; and the longest pause. */
const pauses = { first: 200, longest: 5_000 }

/** Undefined where `fetch` is not the browser's, as in simulated pages of tests. */
const known = globalThis.Request?.prototype ?? {}

/** A token is sent only to the engine: no redirects are followed, no cookies are sent, no answers are cached. */
const privacy: RequestInit = {
  // Workers do not support `error`. A redirect does not come from an engine, and `readAnswer` reports it.
  redirect: 'manual',
  // Workers do not support these either, where they have no cookies and no cache.
  ...('credentials' in known && { credentials: 'omit' }),
  ...('cache' in known && { cache: 'no-store' }),
  ...('referrerPolicy' in known && { referrerPolicy: 'no-referrer' }),
}

export function createTransport(options: TransportOptions): Transport {
  const { headers = {}, timeoutMs = 60_000, retries = 2 } = options
  const base = options.url.replace(/\/+$/, '')
  // The global one is read each time: tools that record requests, or mock them in tests, replace it later.
  const ask: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))

  const attempt = async (init: RequestInit, { path, signal }: Call): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const response = await ask(base + path, {
        ...init,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      return readAnswer(response, await response.text())
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EngineError) throw error
      throw limit.aborted
        ? new EngineError('The engine took too long to answer.', {
            status: 0,
            code: 'TIMEOUT',
            cause: error,
          })
        : new EngineError('The engine cannot be reached.', {
            status: 0,
            code: 'NETWORK_ERROR',
            cause: error,
          })
    }
  }
  return async (call) => {
    const init: RequestInit = {
      ...privacy,
      method: call.method,
      headers: withOwn(typeof headers === 'function' ? headers() : headers, headersOf(call)),
      body: call.body === undefined ? null : encodeBody(call.body),
    }
    for (let made = 0; ; made += 1) {
      try {
        return await attempt(init, call)
      } catch (error) {
        const pauseMs = made < retries && call.isRepeatable ? pauseAfter(error, made) : undefined
        if (pauseMs === undefined) throw error
        await pause(pauseMs, call.signal)
      }
    }
  }
}

/** Own headers replace the configured ones, in any letter case. */
function withOwn(theirs: Readonly<Record<string, string>>, own: Record<string, string>): Headers {
  const headers = new Headers(theirs)
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return headers
}

function headersOf({ body, token }: Call): Record<string, string> {
  // The error message of `fetch` contains the token itself, and would be logged.
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    throw new TypeError('The token has characters that no token has, a line break at its end say.')
  }
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

function readAnswer(response: Response, text: string): unknown {
  const { status, ok, headers } = response
  const value = parsed(text)
  if (ok && value !== undefined) return value
  const refusal: Partial<ErrorBody> = typeof value === 'object' && value !== null ? value : {}
  const { error: code, message, details, correlation_id } = refusal
  const correlationId = correlation_id ?? headers.get('x-request-id') ?? undefined
  if (ok || typeof code !== 'string') {
    throw new EngineError(`What answers is no engine (${status}).`, {
      status,
      code: 'INVALID_ANSWER',
      correlationId,
    })
  }
  const retryAfterMs = secondsOf(headers.get('retry-after'))
  throw new EngineError(message ?? code, { status, code, correlationId, details, retryAfterMs })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : undefined
}

/** How long to wait before the next attempt; undefined where another attempt is useless. */
function pauseAfter(error: unknown, made: number): number | undefined {
  if (!(error instanceof EngineError)) return undefined
  const isPassing = error.code === 'NETWORK_ERROR' || [429, 502, 503, 504].includes(error.status)
  const ownMs = pauses.first * 2 ** made * (0.5 + Math.random() / 2)
  const pauseMs = error.retryAfterMs ?? ownMs
  return isPassing && pauseMs <= pauses.longest ? pauseMs : undefined
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) end()
  })
}
