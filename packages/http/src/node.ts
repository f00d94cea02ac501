/** @module Serves the app on Node's HTTP: `node:http`, Express, Fastify. `@engine/http/node`. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { consoleLog, GatewayError, type Log } from '@engine/core'
import { isProductionMode } from '@engine/core/server'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { EngineApp } from './app.ts'
import { arrivalOf, isPlainPost, send } from './request/node-request.ts'
import {
  type DirectData,
  directDataOf,
  type Outlet,
  type PlainAnswer,
} from './response/direct-data.ts'
import { toErrorResponse } from './response/error-response.ts'

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /** Puts `details` and full messages into errors; default: true unless NODE_ENV is `production`. */
  readonly isDevelopment?: boolean
  /** Errors go to the console by default. */
  readonly log?: Log
  /**
   * Replaces the global `Request` and `Response` by lighter ones, for the whole process: faster, for a process that
   * only runs this server. Default false.
   */
  readonly overrideGlobalObjects?: boolean
}

/** A listener for the `request` event of a server; Express and Fastify can pass their requests to it. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * Answers requests of Node's HTTP, errors included.
 *
 * @example
 * createServer(toNodeHandler(gateway.app)).listen(3000, '127.0.0.1')
 */
export function toNodeHandler(
  app: Pick<EngineApp, 'fetch'>,
  {
    isDevelopment = !isProductionMode(),
    log = consoleLog,
    overrideGlobalObjects = false,
  }: NodeHandlerOptions = {},
): NodeHandler {
  const errorHandler = (cause: unknown): Response =>
    toErrorResponse(unreached(cause), { isDevelopment, log, correlationId: randomUUID() })
  const answer = (request: Request, env: unknown): Response | Promise<Response> => {
    requireUnread((env as { readonly incoming: IncomingMessage }).incoming)
    return app.fetch(request, env as object)
  }
  const options = { errorHandler, overrideGlobalObjects, hostname: unnamedHost }
  const listener = getRequestListener(answer, options)
  const direct = directDataOf(app)
  if (direct === undefined) return (incoming, outgoing) => void listener(incoming, outgoing)
  const answerDirectly = directHandler(direct, log)
  return (incoming, outgoing) => {
    if (isPlainPost(incoming, direct.path)) answerDirectly(incoming, outgoing)
    else void listener(incoming, outgoing)
  }
}

/**
 * Fetch and the router cost as much as the rest of the way of a short statement. The answers of one turn of the event loop leave
 * together at its end: a client, or proxy, on the same machine is woken once for all of them.
 */
function directHandler(direct: DirectData, log: Log): NodeHandler {
  const place = () => ({ method: 'POST', route: direct.path })
  const fail = (outgoing: ServerResponse, err: unknown) => {
    log.error({ err }, 'an answer could not be sent')
    outgoing.destroy()
  }
  let due: { readonly outgoing: ServerResponse; readonly answer: PlainAnswer }[] = []
  const sendDue = () => {
    const all = due
    due = []
    for (const { outgoing, answer } of all) {
      try {
        send(outgoing, answer)
      } catch (err) {
        fail(outgoing, err)
      }
    }
  }
  return (incoming, outgoing) => {
    const outlet: Outlet = {
      send: (answer) => {
        if (due.push({ outgoing, answer }) === 1) setImmediate(sendDue)
      },
      fail: (err) => fail(outgoing, err),
    }
    // The parser reads on first: a body that arrived with its head is complete then.
    void parsed.then(() => {
      try {
        direct.answer(arrivalOf(incoming, outgoing, place), outlet)
      } catch (err) {
        outlet.fail(err)
      }
    })
  }
}

const parsed = Promise.resolve()

/** HTTP/1.0 needs no Host header, and health checks of load balancers send none; no code depends on the name. */
const unnamedHost = 'localhost'

/** On hosting platforms for functions, the body may be in `rawBody`, which the listener reads. */
function requireUnread(incoming: IncomingMessage): void {
  if (!incoming.readableDidRead || 'rawBody' in incoming) return
  const advice = 'The engine must come before whatever reads bodies, such as express.json().'
  throw new GatewayError('internal', `The body of the request was read before. ${advice}`)
}

/** For requests that never reach the app, since their URL or host is invalid; any other error here is a bug. */
function unreached(cause: unknown): unknown {
  if (!(cause instanceof RequestError)) return cause
  return new GatewayError('badRequest', 'The URL or the Host header is invalid.', { cause })
}
