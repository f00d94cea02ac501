/** @module Wraps every route: headers, errors, hooks and cancellation, in one place. There is no middleware. */

import { GatewayError } from '@engine/core'
import type { ClientInfo, EngineGeneration } from '@engine/core/server'
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

/** A request, and the facts that are known before its body is read. */
export interface Call {
  readonly request: Request
  /** The id in the log and the audit. */
  readonly correlationId: string
  readonly client: ClientInfo
  /** Aborts when the client closes the connection, and when the server stops. */
  readonly signal: () => AbortSignal
  /** The error that the route threw, for the log. */
  failure?: GatewayError
  /** Headers that a route adds to its answer, on success and on error: rate limits, `Allow`. */
  readonly responseHeaders: Record<string, string>
}

/** A route returns an answer, or throws. Headers of a `Response` that it created itself override the common ones. */
export type Route = (call: Call, context: Context) => Answer | Response | Promise<Answer | Response>

/** Turns a route, which may throw, into a handler that always answers. */
export type RouteHandler = (route: Route) => (context: Context) => Promise<Response>

/**
 * Wraps every request: for metrics, the log, tracing.
 *
 * @param answer runs the route; never rejects.
 */
export type RequestHook = (
  call: Call,
  context: Context,
  answer: () => Promise<Response>,
) => Promise<Response>

export interface RouteHandlerOptions extends ErrorPolicy {
  /** Headers of every answer. */
  readonly headers: Headers
  readonly crossOrigin: CrossOrigin | undefined
  /** CIDR ranges of trusted proxies, or their number. */
  readonly trustProxy: readonly string[] | number
  /** By default the address that Node, Bun and Deno provide. */
  readonly remoteAddress?: RemoteAddress | undefined
  readonly hook?: RequestHook | undefined
  /** Cancels running requests when the server stops; all handlers of the server share it. */
  readonly cancellation: Cancellation
  /** Counts the requests that run. */
  readonly uses?: EngineGeneration['uses'] | undefined
  /** Is called with every `GatewayError` before the client gets it. Does not reject. */
  readonly onError?: ((error: GatewayError, call: Call) => Promise<void> | undefined) | undefined
}

/** Creates the wrapper of all routes: it adds the common headers to every answer and turns every error into an answer. */
export function createRouteHandler(options: RouteHandlerOptions): RouteHandler {
  const { headers: common, crossOrigin, hook, onError, cancellation, uses } = options
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

  /** Adds the common headers to a response that a route created itself. */
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
    uses?.begin()
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
    } finally {
      uses?.end()
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
