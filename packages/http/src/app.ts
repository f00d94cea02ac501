import { type Engine, GatewayError, type Log, silentLog } from '@engine/core'
import { Hono } from 'hono'
import { createAnswering } from './answering.ts'
import { type Authenticate, createAuthenticator } from './authenticate.ts'
import { dataRoutes } from './routes/data.ts'
import { healthRoutes } from './routes/health.ts'

export interface AppOptions {
  /** Puts `details` and full messages into errors; for NODE_ENV other than `production`. */
  readonly isDevelopment: boolean
  readonly log?: Log
  /** From a request to its caller; by default what the engine's configuration says. */
  readonly authenticate?: Authenticate
  /** False while the process shuts down: `/health/ready` answers 503. */
  readonly isReady?: () => boolean
}

/** A Hono app: mounts in any Hono app, Node, Bun, Deno or Next.js; `app.fetch` is a Fetch handler. */
export type EngineApp = Hono

/** Builds the HTTP side of an engine. */
export function createApp(engine: Engine, options: AppOptions): EngineApp {
  const { isDevelopment, log = silentLog, isReady = () => true } = options
  const authenticate = options.authenticate ?? createAuthenticator(engine.settings)
  const answering = createAnswering({ isDevelopment, log })
  const app = new Hono()
  app.route('/', healthRoutes(engine, isReady, answering))
  app.route('/', dataRoutes(engine, authenticate, answering, isDevelopment))
  const nothing = answering(({ request }) => {
    throw new GatewayError('notFound', `There is nothing at ${new URL(request.url).pathname}.`)
  })
  app.notFound((context) => nothing(context))
  app.onError((error, context) =>
    answering(() => {
      throw error
    })(context),
  )
  return app
}
