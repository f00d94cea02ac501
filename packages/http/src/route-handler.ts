/** @module Handlers of Hono that answer as `answer-calls.ts` does. */

import type { Context } from 'hono'
import { type RemoteAddress, runtimeAddress } from './request/remote-address.ts'
import type { Answer } from './response/answer.ts'
import {
  type AnswerForm,
  type AnsweringOptions,
  type Arrival,
  type Call,
  createAnswering,
} from './response/answer-calls.ts'
import { methodOf, routeOf } from './telemetry/request-hooks.ts'

export type { Call } from './response/answer-calls.ts'

/** A route returns an answer, or throws. Headers of a `Response` that it created itself override the common ones. */
export type Route = (call: Call, context: Context) => Answer | Response | Promise<Answer | Response>

/** Turns a route, which may throw, into a handler that always answers. */
export type RouteHandler = (route: Route) => (context: Context) => Promise<Response>

export interface RouteHandlerOptions extends AnsweringOptions {
  /** By default the address that Node, Bun and Deno provide. */
  readonly remoteAddress?: RemoteAddress | undefined
}

export function createRouteHandler(options: RouteHandlerOptions): RouteHandler {
  const { remoteAddress = runtimeAddress } = options
  const answer = createAnswering<Request, Answer | Response, Response>(options, toResponse)
  return (route) => (context) => {
    const request = context.req.raw
    const arrival: Arrival<Request> = {
      request,
      remoteAddress: remoteAddress(request, context.env),
      place: () => ({ method: methodOf(context), route: routeOf(context) }),
      isAbandoned: () => request.signal.aborted,
      onAbandoned: (callback) => {
        if (request.signal.aborted) callback()
        else request.signal.addEventListener('abort', callback, { once: true })
      },
    }
    return new Promise((resolve, reject) => {
      answer(arrival, (call) => route(call, context), resolve, reject)
    })
  }
}

const toResponse: AnswerForm<Answer | Response, Response> = (made, headersWith) => {
  if (made instanceof Response) return amended(made, headersWith(undefined))
  const { status, body } = made
  const headers = headersWith(made.headers)
  if (body === undefined) delete headers['Content-Type']
  return new Response((body ?? null) as ConstructorParameters<typeof Response>[0], {
    status,
    headers,
  })
}

/** Adds headers that a response does not have. */
function amended(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}
