/** @module Serves a handler on a port, and shuts it down gracefully. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import {
  closeListener,
  createLiveList,
  type LiveList,
  shortTurn,
  withinTime,
} from '@engine/core/server'
import { cancellationGraceMs } from '@engine/http'
import type { NodeHandler } from '@engine/http/node'
import { holdConnections } from './hold-connections.ts'
import { createRawErrors, refuseAmbiguous, refuseExpectation } from './raw-errors.ts'
import { createUnreadResponseCheck } from './unread-responses.ts'

export interface ListenOptions {
  readonly handler: NodeHandler
  /** 0 uses a free port. */
  readonly port: number
  readonly host: string
  /** A client that asks (`Expect: 100-continue`) before it sends more bytes than this is refused. */
  readonly maxBodyBytes: () => number
  readonly timeouts?: Timeouts
  /** Where another process has the listening socket, too: resolves when it has closed it after this one. */
  readonly confirmClosed?: () => Promise<unknown>
}

/** Time limits for clients, in milliseconds. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  /** Limit without reading any byte of an answer. */
  readonly answerMs: number
}

export interface Listening {
  /** `http://127.0.0.1:3001` */
  readonly url: string
  /**
   * Stops accepting when no client has connected for a moment, for 250 milliseconds at most; resolves when every connection is closed.
   *
   * @param drainMs requests that still run after this number of milliseconds are cancelled.
   * @param cancel makes the handler answer running requests: connections are closed after that, or some seconds later.
   * @param lasting the milliseconds are counted when it has resolved; until then requests are not cancelled.
   */
  drain(drainMs: number, cancel?: () => void, lasting?: Promise<void>): Promise<void>
}

const usualTimeouts: Timeouts = { headersMs: 15_000, requestMs: 30_000, answerMs: 60_000 }

/** Interval of the check for slow clients, in milliseconds. */
const stallCheckMs = 1_000

/** Maximum bytes of all answers that wait for their clients: twice the maximum answer of one statement. */
const maxWaitingBytes = 512 * 1_024 * 1_024

/**
 * Milliseconds for which an idle connection is kept: longer than proxies keep theirs, since a request that is sent
 * while its connection closes is lost.
 */
const keepAliveMs = 75_000

/** Milliseconds after which the server that stops refuses connections, even if clients go on to connect. */
const mostAcceptingMs = 250

/** Interval in milliseconds at which idle connections are closed while the server stops. */
const sweepMs = 50

/**
 * Milliseconds before the server closes idle connections when it stops. A request that arrives meanwhile is answered,
 * and its connection is closed so that the client notices it.
 */
const stopGraceMs = 500

/** The same where nothing hurries: longer than clients that use a connection again and again let it rest. */
const lastingGraceMs = 10_000

/** Milliseconds for answers of cancelled requests: longer than the handler takes to send them. */
const cancelledAnswersMs = cancellationGraceMs + 1_000

/** @throws {Error} with `code` when the server cannot listen on the port. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { port, host, confirmClosed } = options
  const { server, unanswered } = createHttpServer(options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: actual } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${actual}`,
    drain: (drainMs, cancel, lasting) =>
      drain(server, unanswered, { drainMs, cancel, lasting, confirmClosed }),
  }
}

interface HttpServer {
  readonly server: Server
  readonly unanswered: LiveList<ServerResponse>
}

function createHttpServer({
  handler,
  maxBodyBytes,
  timeouts: { headersMs, requestMs, answerMs } = usualTimeouts,
}: ListenOptions): HttpServer {
  const unanswered = createLiveList<ServerResponse>()
  const rawErrors = createRawErrors()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const closed = rawErrors.watch(response)
    const entry = unanswered.add(response)
    response.on('close', () => {
      closed()
      unanswered.remove(entry)
    })
    if (!refuseAmbiguous(request, response)) handler(request, response)
  }
  const server = createServer({
    headersTimeout: headersMs,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(stallCheckMs, headersMs),
    // Otherwise Node refuses a request without a Host header with an answer that has no body.
    requireHostHeader: false,
  })
  server.on('request', answer)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // The client chooses whether it still sends the body: only the end of the connection ends the request.
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes()) {
      response.setHeader('Connection', 'close')
    } else response.writeContinue()
    answer(request, response)
  })
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) =>
    refuseExpectation(response),
  )
  server.on('connect', rawErrors.refuseTunnel)
  server.on('clientError', rawErrors.answer)
  const waiting = { unanswered, stallMs: answerMs, maxBytes: maxWaitingBytes }
  const stallCheck = setInterval(
    createUnreadResponseCheck(waiting),
    Math.min(stallCheckMs, answerMs),
  ).unref()
  server.once('close', () => clearInterval(stallCheck))
  return { server, unanswered }
}

interface DrainOptions {
  readonly drainMs: number
  readonly cancel: (() => void) | undefined
  readonly lasting: Promise<void> | undefined
  readonly confirmClosed: ListenOptions['confirmClosed'] | undefined
}

/**
 * Stops accepting; after that closes each connection after its next answer, which has `Connection: close`: no request is lost when it
 * closes. Not before, since a client whose connection ends opens another one. For the same reason connections that are accepted
 * meanwhile are served after it.
 */
async function drain(
  server: Server,
  unanswered: LiveList<ServerResponse>,
  { drainMs, cancel, lasting, confirmClosed }: DrainOptions,
): Promise<void> {
  const startedAtMs = performance.now()
  const closed = Promise.withResolvers<void>()
  const release = holdConnections(server)
  await closeListener(server, {
    // Other workers go on to accept from the same socket: no connection is reset.
    limitMs: lasting === undefined ? Math.min(mostAcceptingMs, drainMs / 2) : 0,
    // `close` of an HTTP server would close idle connections at once.
    close: () => NetServer.prototype.close.call(server, () => closed.resolve()),
  })
  if (confirmClosed !== undefined) {
    // The other process may have ended, or hang: then nothing is to be waited for.
    await withinTime(
      confirmClosed().catch(() => undefined),
      mostAcceptingMs,
    )
  }
  const leftMs = Math.max(0, drainMs - (performance.now() - startedAtMs))
  for (const response of unanswered) response.shouldKeepAlive = false
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  release()
  let sweep: NodeJS.Timeout | undefined
  const grace = setTimeout(
    () => {
      sweep = setInterval(() => {
        void shortTurn(sweepMs / 2).then(() => server.closeIdleConnections())
      }, sweepMs)
    },
    lasting === undefined ? Math.min(stopGraceMs, leftMs) : lastingGraceMs,
  )
  let lastClose: NodeJS.Timeout | undefined
  const cutOffNow = () => {
    // An answer that has begun cannot be replaced by another one.
    for (const response of unanswered) if (response.headersSent) response.destroy()
    cancel?.()
    const isAnswering = cancel !== undefined && unanswered.size > 0
    lastClose = setTimeout(() => server.closeAllConnections(), isAnswering ? cancelledAnswersMs : 0)
  }
  let cutOff: NodeJS.Timeout | undefined
  let isClosed = false
  void lasting?.then(() => {
    if (!isClosed) cutOff = setTimeout(cutOffNow, drainMs)
  })
  if (lasting === undefined) cutOff = setTimeout(cutOffNow, leftMs)
  await closed.promise
  isClosed = true
  clearTimeout(grace)
  clearInterval(sweep)
  clearTimeout(cutOff)
  clearTimeout(lastClose)
}
