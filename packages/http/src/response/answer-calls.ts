/** @module Answers every request: headers, errors, hooks and cancellation, in one place. There is no middleware. */

import { GatewayError } from '@engine/core'
import type { ClientInfo, EngineGeneration } from '@engine/core/server'
import { bearerToken } from '../admission/bearer-token.ts'
import type { Cancellation, Connected, Guard } from '../request/cancellation.ts'
import { createClientInfo } from '../request/client-info.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { correlationIdOf } from '../telemetry/correlation-id.ts'
import type { Answer, WholeBody } from './answer.ts'
import type { Headers } from './common-headers.ts'
import type { CrossOrigin } from './cors.ts'
import { type ErrorPolicy, errorAnswer } from './error-response.ts'

/** A request, and the facts that are known before its body is read. */
export interface Call<Request extends IncomingRequest = globalThis.Request> {
  readonly request: Request
  /** The id in the log and the audit. */
  readonly correlationId: string
  readonly client: ClientInfo
  /** Aborts when the client closes the connection, and when the server stops. */
  readonly signal: () => AbortSignal
  /** The client has closed the connection. */
  readonly isAbandoned: () => boolean
  /** The error that the route threw, for the log. */
  failure?: GatewayError
  /** Headers that a route adds to its answer, on success and on error: rate limits, `Allow`. */
  readonly responseHeaders: Record<string, string>
}

/** How a request arrived. */
export interface Arrival<Request extends IncomingRequest> extends Connected {
  readonly request: Request
  /** Address of the peer of the connection, undefined where it is unknown. */
  readonly remoteAddress: string | undefined
  /** Labels for metrics, log and tracing. */
  readonly place: () => Place
}

/** Labels with few values: clients cannot choose them freely. */
export interface Place {
  /** The method, or `OTHER` for an unknown one. */
  readonly method: string
  /** The declared route, `/auth/sessions/:id`, or `unmatched`. */
  readonly route: string
}

/**
 * Called when a request begins: for metrics and the log.
 *
 * @returns called with the status when its answer is made.
 */
export type RequestHook = (
  call: Call<IncomingRequest>,
  place: () => Place,
) => (status: number) => void

/**
 * Runs a request within a context of its own: for tracing.
 *
 * @param answer runs the route; never rejects.
 */
export type RequestContext = <Sent extends { readonly status: number }>(
  call: Call<IncomingRequest>,
  place: () => Place,
  answer: () => Promise<Sent>,
) => Promise<Sent>

export interface AnsweringOptions extends ErrorPolicy {
  /** Headers of every answer. */
  readonly headers: Headers
  readonly crossOrigin: CrossOrigin | undefined
  /** CIDR ranges of trusted proxies, or their number. */
  readonly trustProxy: readonly string[] | number
  readonly hook?: RequestHook | undefined
  readonly context?: RequestContext | undefined
  /** Cancels running requests when the server stops; all handlers of the server share it. */
  readonly cancellation: Cancellation
  /** Counts the requests that run. */
  readonly uses?: EngineGeneration['uses'] | undefined
  /** Is called with every `GatewayError` before the client gets it. Does not reject. */
  readonly onError?:
    | ((error: GatewayError, call: Call<IncomingRequest>) => Promise<void> | undefined)
    | undefined
}

/**
 * Runs a route, which may throw, and always answers. Every request passes here: callbacks cost less than promises.
 *
 * @param sent is called once, with the answer.
 * @param failed is called instead for an error of the answering itself: a bug.
 */
export type AnswerCall<Request extends IncomingRequest, Made, Sent> = (
  arrival: Arrival<Request>,
  route: (call: Call<Request>) => Made | Promise<Made>,
  sent: (answer: Sent) => void,
  failed: (error: unknown) => void,
) => void

/**
 * Converts what routes return to the form in which it is sent.
 *
 * @param headersWith all headers of the answer; `own` are those of the route.
 */
export type AnswerForm<Made, Sent> = (
  made: Made,
  headersWith: (own: Headers | undefined) => Record<string, string>,
) => Sent

/** Adds the common headers to every answer and turns every error into an answer. */
export function createAnswering<
  Request extends IncomingRequest,
  Made,
  Sent extends { readonly status: number },
>(
  options: AnsweringOptions,
  form: AnswerForm<Made | Answer<WholeBody>, Sent>,
): AnswerCall<Request, Made, Sent> {
  const { headers: common, crossOrigin, hook, context, onError, cancellation, uses } = options
  const { isDevelopment, log, logsRequests = false, trustProxy } = options
  const clientOf = createClientInfo(trustProxy)

  const headersOf = (
    own: Headers | undefined,
    { request, correlationId, responseHeaders }: Call<Request>,
  ): Record<string, string> => {
    if (crossOrigin === undefined) {
      return { ...common, ...own, ...responseHeaders, 'X-Request-Id': correlationId }
    }
    const shared = crossOrigin.headersFor(request.headers.get('origin'))
    const headers: Record<string, string> = {
      ...common,
      ...shared,
      ...own,
      ...responseHeaders,
      'X-Request-Id': correlationId,
    }
    if (headers['Vary'] !== shared['Vary']) {
      headers['Vary'] = joined(shared['Vary'], headers['Vary'])
    }
    return headers
  }
  const finish = (made: Made | Answer<WholeBody>, call: Call<Request>): Sent =>
    form(made, (own) => headersOf(own, call))
  const errorFor = async (error: unknown, call: Call<Request>): Promise<Sent> => {
    if (error instanceof GatewayError) {
      call.failure = error
      await onError?.(error, call)
    }
    const { correlationId, request } = call
    const isAbandoned = call.isAbandoned()
    const hadToken = bearerToken(request) !== undefined
    const policy = { isDevelopment, log, logsRequests }
    return finish(errorAnswer(error, { ...policy, correlationId, isAbandoned, hadToken }), call)
  }
  const run = (
    route: (call: Call<Request>) => Made | Promise<Made>,
    call: Call<Request>,
    guard: Guard,
    sent: (answer: Sent) => void,
    failed: (error: unknown) => void,
  ) => {
    const fail = (error: unknown) => {
      errorFor(error, call)
        .finally(() => uses?.end())
        .then(sent, failed)
    }
    const succeed = (made: Made) => {
      let answer: Sent
      try {
        answer = finish(made, call)
      } catch (error) {
        fail(error)
        return
      }
      uses?.end()
      sent(answer)
    }
    uses?.begin()
    guard.run(() => route(call), succeed, fail)
  }

  return (arrival, route, sent, failed) => {
    const { request, remoteAddress, isAbandoned, place } = arrival
    const correlationId = correlationIdOf(request)
    const client = clientOf(request, remoteAddress, correlationId)
    const guard = cancellation.enter(arrival)
    const signal = () => guard.signal()
    const call = { request, correlationId, client, signal, isAbandoned, responseHeaders: {} }
    const ended = hook?.(call, place)
    const observed =
      ended === undefined
        ? sent
        : (answer: Sent) => {
            try {
              ended(answer.status)
            } catch (error) {
              failed(error)
              return
            }
            sent(answer)
          }
    if (context === undefined) run(route, call, guard, observed, failed)
    else {
      const answered = () =>
        new Promise<Sent>((resolve, reject) => run(route, call, guard, resolve, reject))
      context(call, place, answered).then(observed, failed)
    }
  }
}

function joined(first: string | undefined, second: string | undefined): string {
  const names = [first, second].flatMap((list) => list?.split(/\s*,\s*/) ?? [])
  return [...new Set(names)].join(', ')
}
