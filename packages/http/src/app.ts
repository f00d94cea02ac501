import type { Engine, Log } from '@engine/core'
import { silentLog } from '@engine/core'
import { Hono } from 'hono'
import { type Authenticate, createAuthenticator } from './authenticate.ts'
import { correlationIdOf } from './correlation-id.ts'
import { errorResponse, toErrorResponse } from './error-response.ts'
import { dataRoutes } from './routes/data.ts'
import { healthRoutes } from './routes/health.ts'

export interface AppOptions {
  /** Puts `details` and full messages into errors. Default: NODE_ENV is not `production`. */
  readonly isDevelopment: boolean
  readonly log?: Log
  /** From a request to its caller; by default what the engine's configuration says. */
  readonly authenticate?: Authenticate
  /** False while the process shuts down: `/health/ready` answers 503. */
  readonly isReady?: () => boolean
}

/** What every handler finds beside the request. */
export interface AppEnvironment {
  readonly Variables: {
    readonly correlationId: string
  }
}

/** A Hono app: mounts in any Hono app, Node, Bun, Deno or Next.js; `app.fetch` is a Fetch handler. */
export type EngineApp = Hono<AppEnvironment>

/** Builds the HTTP side of an engine. The order of everything that happens to a request is read here. */
export function createApp(engine: Engine, options: AppOptions): EngineApp {
  const { isDevelopment, log = silentLog, isReady = () => true } = options
  const authenticate = options.authenticate ?? createAuthenticator(engine.settings)
  const app: EngineApp = new Hono<AppEnvironment>()

  app.use(async (context, next) => {
    const correlationId = correlationIdOf(context.req.raw)
    context.set('correlationId', correlationId)
    await next()
    const { headers } = context.res
    headers.set('X-Request-Id', correlationId)
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('Cache-Control', 'no-store')
  })
  app.route('/', healthRoutes(engine, isReady))
  app.route('/', dataRoutes(engine, authenticate))
  app.notFound((context) =>
    errorResponse({
      code: 'NOT_FOUND',
      status: 404,
      message: `There is nothing at ${context.req.path}.`,
      correlationId: context.var.correlationId,
    }),
  )
  app.onError((error, context) =>
    toErrorResponse(error, { correlationId: context.var.correlationId, isDevelopment, log }),
  )
  return app
}
