import { setTimeout as sleep } from 'node:timers/promises'
import type { Config, Engine, Log } from '@engine/core'
import { createGateway, type EngineApp } from '@engine/http'
import { toNodeHandler } from '@engine/http/node'
import { adapters, serviceDatabases } from './adapters.ts'
import { type Listening, listen, type Timeouts } from './listening.ts'
import { version } from './version.ts'

export interface ServeOptions {
  readonly config: Config
  readonly port: number
  readonly host: string
  /** Full messages and details in errors. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** 15 seconds for headers and 30 for a request by default. */
  readonly timeouts?: Timeouts
  /** Milliseconds for which requests are still taken when the server stops; none by default. */
  readonly stopDelayMs?: number
}

/** A server that accepts requests. */
export interface RunningServer {
  /** `http://127.0.0.1:3001` */
  readonly url: string
  /** Health and metrics for operators; undefined where no such port is configured. */
  readonly internalUrl: string | undefined
  readonly engine: Engine
  /**
   * Says that it is not ready, goes on for `stopDelayMs` so that a balancer sees it, then stops accepting, lets running requests finish, writes what is queued, closes the databases. Health on the internal
   * port is answered until the last request is.
   *
   * @param drainMs requests still running after so many milliseconds are cancelled.
   */
  stop(drainMs: number): Promise<void>
}

/** Requests for health and metrics get so many milliseconds at the end. */
const internalDrainMs = 200

/**
 * Opens what the configuration names, and listens.
 *
 * @throws {GatewayError} `invalidConfiguration`; an `Error` with `code` when a port cannot be had.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config, port, host, isDevelopment, log, timeouts, stopDelayMs = 0 } = options
  const opening = { adapters, serviceDatabases, log, isDevelopment, version }
  const gateway = await createGateway(config, opening)
  // The process is the server's own.
  const handling = { isDevelopment, log, overrideGlobalObjects: true }
  const handlerOf = (app: EngineApp) => toNodeHandler(app, handling)
  const { internalApp, engine } = gateway
  const { internal: at, limits } = engine.settings
  const shared = {
    maxBodyBytes: limits.maxRequestBodyBytes,
    ...(timeouts && { timeouts }),
  }
  let internal: Listening | undefined
  try {
    internal =
      internalApp && at && (await listen({ ...shared, ...at, handler: handlerOf(internalApp) }))
    const open = await listen({ ...shared, port, host, handler: handlerOf(gateway.app) })
    return {
      url: open.url,
      internalUrl: internal?.url,
      engine,
      stop: async (drainMs) => {
        gateway.beginStopping()
        if (stopDelayMs > 0) await sleep(stopDelayMs)
        await open.drain(drainMs)
        await internal?.drain(internalDrainMs)
        await gateway.close()
      },
    }
  } catch (error) {
    await internal?.drain(0)
    await gateway.close()
    throw error
  }
}
