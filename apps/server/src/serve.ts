import type { AddressInfo } from 'node:net'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { type Config, createEngine, type Engine, type Log } from '@engine/core'
import { createApp } from '@engine/http'
import { createAdaptorServer } from '@hono/node-server'

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
   * @param drainMs requests still running after so many milliseconds are cut off.
   */
  stop(drainMs: number): Promise<void>
}

/** What the server brings along; other adapters are found where the process was started. */
const adapters = {
  '@engine/adapters-postgres': connectPostgres,
  '@engine/adapters-sqlite': connectSqlite,
}

/** Milliseconds a client may take to send its headers, and its whole request. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000 }

/**
 * Opens an engine and listens.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when the port cannot be had.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config, port, host, isDevelopment, log } = options
  const engine = await createEngine(config, { log, adapters })
  let isReady = true
  const app = createApp(engine, { isDevelopment, log, isReady: () => isReady })
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: timeouts })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve())
    })
  } catch (error) {
    await engine.close()
    throw error
  }
  const { port: actual } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${actual}`,
    engine,
    stop: async (drainMs) => {
      isReady = false
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeIdleConnections' in server) server.closeIdleConnections()
      const cutOff = setTimeout(() => {
        if ('closeAllConnections' in server) server.closeAllConnections()
      }, drainMs)
      await closed
      clearTimeout(cutOff)
      await engine.close()
    },
  }
}
