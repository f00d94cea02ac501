/** @module A Fetch handler on a port, and its orderly end. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { answerRawError } from './raw-errors.ts'

export interface ListenOptions {
  readonly fetch: Parameters<typeof getRequestListener>[0]
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** Answers what never reaches the handler. */
  readonly errorHandler: (error: unknown) => Response
}

export interface Listening {
  /** `http://127.0.0.1:3001` */
  readonly url: string
  /**
   * Stops accepting; resolves when every connection is closed.
   *
   * @param drainMs requests still running after so many milliseconds are cancelled.
   */
  drain(drainMs: number): Promise<void>
}

/** Milliseconds a client may take to send its headers, and its whole request. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000 }

/** While the server stops, connections that have become idle are closed every so many milliseconds. */
const sweepMs = 50

/** @throws {Error} with `code` when the port cannot be had. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { fetch, port, host, errorHandler } = options
  const listener = getRequestListener(fetch, { errorHandler })
  const server = createServer(timeouts, (request, response) => void listener(request, response))
  server.on('clientError', answerRawError)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: actual } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return { url: `http://${shownHost}:${actual}`, drain: (drainMs) => drain(server, drainMs) }
}

/** A connection that keeps asking is closed behind its next answer. */
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
