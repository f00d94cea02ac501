import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, type Engine, GatewayError, type Log } from '@engine/core'
import { createGateway, toErrorResponse } from '@engine/http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { adapters } from './adapters.ts'
import { answerRawError } from './raw-errors.ts'

export interface ServeOptions {
  readonly config: Config
  readonly port: number
  readonly host: string
  /** Full messages and details in errors. */
  readonly isDevelopment: boolean
  readonly log: Log
}

/** A server that accepts requests. */
export interface RunningServer {
  /** `http://127.0.0.1:3001` */
  readonly url: string
  readonly engine: Engine
  /**
   * Stops accepting, lets running requests finish, closes the databases.
   *
   * @param drainMs requests still running after so many milliseconds are cancelled.
   */
  stop(drainMs: number): Promise<void>
}

/** Milliseconds a client may take to send its headers, and its whole request. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000 }

/** While the server stops, connections that have become idle are closed every so many milliseconds. */
const sweepMs = 50

/**
 * Opens an engine and listens.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port cannot be had.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config, port, host, isDevelopment, log } = options
  const gateway = await createGateway(config, { adapters, log, isDevelopment })
  const listener = getRequestListener(gateway.app.fetch, {
    errorHandler: (cause) => answerUnreached(cause, { isDevelopment, log }),
  })
  const server = createServer(timeouts, (request, response) => void listener(request, response))
  server.on('clientError', answerRawError)
  try {
    await listen(server, port, host)
  } catch (error) {
    await gateway.close()
    throw error
  }
  const { port: actual } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${actual}`,
    engine: gateway.engine,
    stop: async (drainMs) => {
      gateway.beginStopping()
      await drain(server, drainMs)
      await gateway.close()
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Resolves when every connection is closed. A connection that keeps asking is closed behind its next answer. */
async function drain(server: Server, drainMs: number): Promise<void> {
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  const cutOff = setTimeout(() => server.closeAllConnections(), drainMs)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearInterval(sweep)
  clearTimeout(cutOff)
}

/** For requests that never reach the app, since their URL or host is no such thing; anything else here is a bug. */
function answerUnreached(
  cause: unknown,
  policy: Pick<ServeOptions, 'isDevelopment' | 'log'>,
): Response {
  const error =
    cause instanceof RequestError
      ? new GatewayError('badRequest', 'The URL or the Host header is invalid.', { cause })
      : cause
  return toErrorResponse(error, { ...policy, correlationId: randomUUID() })
}
