/** @module From a request to its answer: what every route has in common, in one place. There is no middleware. */

import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { Context } from 'hono'
import type { Answer } from './answer.ts'
import { bearerToken } from './bearer-token.ts'
import type { Cancellation, Guard } from './cancellation.ts'
import { createClientInfo } from './client-info.ts'
import type { Headers } from './common-headers.ts'
import { correlationIdOf } from './correlation-id.ts'
import type { CrossOrigin } from './cors.ts'
import { type ErrorPolicy, errorAnswer } from './error-response.ts'
import type { RemoteAddress } from './remote-address.ts'

/** A request, and what is known of it before anybody looks into it. */
export interface Call {
  readonly request: Request
  /** Under which it is logged and audited. */
  readonly correlationId: string
  readonly client: ClientInfo
  /** Aborts when the client goes away, and when the server may wait no longer. */
  readonly signal: () => AbortSignal
  /** What went wrong, for the log. */
  failure?: GatewayError
  /** Put in here what the answer shall have besides, be it a success or an error: rate limits, `Allow`. */
  readonly responseHeaders: Record<string, string>
}

/** What a route does: gives an answer, or throws. A `Response` of its own keeps its headers where both have one. */
export type Route = (call: Call, context: Context) => Answer | Response | Promise<Answer | Response>

/** Turns a function that answers or throws into one that always answers. */
export type RouteHandler = (route: Route) => (context: Context) => Promise<Response>

/**
 * Hears of every request and its answer, around it: for metrics, the log, tracing.
 *
 * @param answer answers; never rejects.
 */
export type RequestHook = (
  call: Call,
  context: Context,
  answer: () => Promise<Response>,
) => Promise<Response>

export interface RouteHandlerOptions extends ErrorPolicy {
  /** What every answer has. */
  readonly headers: Headers
  readonly crossOrigin: CrossOrigin | undefined
  /** CIDR ranges of proxies that are believed, or how many there are. */
  readonly trustProxy: readonly string[] | number
  /** By default what Node, Bun and Deno tell. */
  readonly remoteAddress?: RemoteAddress | undefined
  readonly hook?: RequestHook | undefined
  /** Of requests that run when the server stops; shared by everything that it serves. */
  readonly cancellation: Cancellation
  /** Hears of every error that is told to a client on purpose, before it is told. Does not reject. */
  readonly onError?: ((error: GatewayError, call: Call) => Promise<void> | undefined) | undefined
}

/** One route is one function; every answer gets its headers here, and every error is answered here. */
export function createRouteHandler(options: RouteHandlerOptions): RouteHandler {
  const { headers: common, crossOrigin, hook, onError, cancellation } = options
  const { isDevelopment, log, logsRequests = false } = options
  const clientOf = createClientInfo(options.trustProxy, options.remoteAddress)

  const finish = (answer: Answer, { request, correlationId, responseHeaders }: Call): Response => {
    const { status, body, headers: own } = answer
    const shared = crossOrigin?.headersFor(request.headers.get('origin'))
    const headers: Record<string, string> = {
      ...common,
      ...shared,
      ...own,
      ...responseHeaders,
      'X-Request-Id': correlationId,
    }
    if (shared !== undefined && headers['Vary'] !== shared['Vary']) {
      headers['Vary'] = joined(shared['Vary'], headers['Vary'])
    }
    if (body === undefined) delete headers['Content-Type']
    return new Response((body ?? null) as ConstructorParameters<typeof Response>[0], {
      status,
      headers,
    })
  }

  /** For a response that a route made itself. */
  const amend = (response: Response, call: Call): Response => {
    const { headers } = finish({ status: 200, body: '' }, call)
    for (const [name, value] of headers) {
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    return response
  }

  const run = async (
    route: Route,
    call: Call,
    context: Context,
    guard: Guard,
  ): Promise<Response> => {
    try {
      const answer = await guard.run(() => route(call, context))
      return answer instanceof Response ? amend(answer, call) : finish(answer, call)
    } catch (error) {
      if (error instanceof GatewayError) {
        call.failure = error
        await onError?.(error, call)
      }
      const { correlationId, request } = call
      const isAbandoned = request.signal.aborted
      const hadToken = bearerToken(request) !== undefined
      const policy = { isDevelopment, log, logsRequests }
      const context = { ...policy, correlationId, isAbandoned, hadToken }
      return finish(errorAnswer(error, context), call)
    }
  }

  return (route) => (context) => {
    const request = context.req.raw
    const correlationId = correlationIdOf(request)
    const client = clientOf(request, context.env, correlationId)
    const guard = cancellation.enter(request)
    const { signal } = guard
    const call: Call = { request, correlationId, client, signal, responseHeaders: {} }
    if (hook === undefined) return run(route, call, context, guard)
    return hook(call, context, () => run(route, call, context, guard))
  }
}

function joined(first: string | undefined, second: string | undefined): string {
  const names = [first, second].flatMap((list) => list?.split(/\s*,\s*/) ?? [])
  return [...new Set(names)].join(', ')
}
