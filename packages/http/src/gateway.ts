/** @module Everything that a configuration asks for, put together: one Fetch handler and how to end it. */
import { type Config, createEngine, type Engine, type EngineOptions } from '@engine/core'
import { createApp, type EngineApp } from './app.ts'

export interface GatewayOptions extends EngineOptions {
  /** Puts `details` and full messages into errors; for NODE_ENV other than `production`. */
  readonly isDevelopment: boolean
}

/** A running engine behind HTTP, with its accounts, limits and audit. */
export interface Gateway {
  readonly engine: Engine
  readonly app: EngineApp
  /** Makes `/health/ready` answer 503, so that load balancers go elsewhere; requests are still answered. */
  beginStopping(): void
  /** Ends everything behind the handler. Call it when the last request is answered. */
  close(): Promise<void>
}

/**
 * Opens what the configuration names.
 *
 * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming everything that is wrong.
 */
export async function createGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const { isDevelopment, ...engineOptions } = options
  const engine = await createEngine(config, engineOptions)
  const { log } = engineOptions
  let isReady = true
  const app = createApp(engine, {
    isDevelopment,
    isReady: () => isReady,
    ...(log === undefined ? {} : { log }),
  })
  return {
    engine,
    app,
    beginStopping: () => {
      isReady = false
    },
    close: () => engine.close(),
  }
}
