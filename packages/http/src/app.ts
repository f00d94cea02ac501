import { type ApiKeyProvider, type Auth, createTokenProvider } from '@engine/auth'
import {
  type Audit,
  consoleLog,
  createMemoryRateLimiter,
  type Engine,
  GatewayError,
  type Log,
  type RateLimiter,
} from '@engine/core'
import {
  type AuditOrigin,
  createRequestLimits,
  type EngineGeneration,
  isProductionMode,
  recordDenial,
  requireClosed,
} from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { Hono } from 'hono'
import { createAdmission } from './admission/admission.ts'
import { type Authenticate, createAuthenticator, createExpect } from './admission/authenticate.ts'
import { requireLongSecrets } from './admission/require-long-secrets.ts'
import { createReadiness } from './gateway/readiness.ts'
import type { Metrics } from './metrics/metrics.ts'
import { checkBasePath } from './request/base-path.ts'
import { type Cancellation, createCancellation } from './request/cancellation.ts'
import type { RemoteAddress } from './request/remote-address.ts'
import { adminHeaders, commonHeaders } from './response/common-headers.ts'
import { createCrossOrigin } from './response/cors.ts'
import { createDirectData, offerDirectData } from './response/direct-data.ts'
import { createRouteHandler, type RouteHandlerOptions } from './route-handler.ts'
import { actionRoutes } from './routes/actions.ts'
import type { AdminOptions } from './routes/admin/admin-options.ts'
import { adminRoutes } from './routes/admin/admin-routes.ts'
import { authRoutes } from './routes/auth.ts'
import { dataRoutes } from './routes/data.ts'
import { healthRoutes } from './routes/health.ts'
import { mailboxRoutes, requireNoMailbox } from './routes/mailbox.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { preflightRoutes } from './routes/preflight.ts'
import { rootRoutes } from './routes/root.ts'
import { schemaRoutes } from './routes/schema.ts'
import type { BuiltApp } from './switching-app.ts'
import { composeHooks } from './telemetry/request-hooks.ts'
import { createRequestLog } from './telemetry/request-log.ts'
import type { Tracing } from './telemetry/tracing.ts'

/** Options of the HTTP handler. */
export interface AppOptions {
  /** Puts `details` and full messages into errors; default: true unless NODE_ENV is `production`. */
  readonly isDevelopment?: boolean
  /** Warnings and errors go to the console by default. */
  readonly log?: Log
  /** Authenticates the caller of a request; by default by the engine's configuration. */
  readonly authenticate?: Authenticate
  /** Counts requests for rate limits; in this process by default. */
  readonly limiter?: RateLimiter
  /** Serves `/auth`, and authenticates callers. */
  readonly auth?: Auth | undefined
  /** Authenticates API keys where no accounts are configured. */
  readonly apiKeys?: ApiKeyProvider | undefined
  /** Records refused requests. */
  readonly audit?: Audit | undefined
  /** Serves `/admin/api`, where there is a master key. */
  readonly admin?: AdminSources | undefined
  /** False while the process shuts down: `/health/ready` answers 503. */
  readonly isReady?: () => boolean
  /** The service database, where it is needed: `/health/ready` checks it too. */
  readonly store?: Pick<Store, 'ping'> | undefined
  /** Counts requests; shown at `/metrics` unless there is an internal port for them. */
  readonly metrics?: Metrics | undefined
  readonly tracing?: Tracing | undefined
  /** Cancels running requests when the server stops. */
  readonly cancellation?: Cancellation | undefined
  /** Returns the address of a client; by default the one that Node, Bun and Deno provide. */
  readonly remoteAddress?: RemoteAddress | undefined
  /** Counts the requests that run; see `EngineGeneration`. */
  readonly uses?: EngineGeneration['uses'] | undefined
  /** The path under which the app is served, `/api/engine`, where the host does not remove it; none by default. */
  readonly basePath?: string | undefined
  /** Answers `GET /` with a page of links: for a server without other pages. */
  readonly hasRootPage?: boolean | undefined
  /** Of the program: named at `GET /` outside of production. */
  readonly version?: string | undefined
}

/** Options only for the administrator's routes. */
export type AdminSources = Pick<
  AdminOptions,
  | 'audit'
  | 'store'
  | 'sessions'
  | 'links'
  | 'activity'
  | 'site'
  | 'guessRules'
  | 'findSchemas'
  | 'demo'
  | 'config'
  | 'configuration'
  | 'refusal'
  | 'version'
  | 'clock'
  | 'siblings'
  | 'state'
>

/** A Hono app: mounts in any Hono app, Node, Bun, Deno or Next.js; `app.fetch` is a Fetch handler. */
export type EngineApp = Hono

/**
 * Creates the HTTP application of an engine.
 *
 * @throws {GatewayError} `invalidConfiguration`: in production, for short secrets, and for open mode that is not
 * explicit.
 */
export function createApp(engine: Engine, options: AppOptions = {}): EngineApp {
  const { app, direct } = buildApp(engine, options)
  if (direct !== undefined) offerDirectData(app, direct)
  return app
}

/** As `createApp`. */
export function buildApp(engine: Engine, options: AppOptions): BuiltApp {
  const { isDevelopment = !isProductionMode(), log = consoleLog } = options
  const { auth, audit, metrics, store, isReady = () => true } = options
  const { settings } = engine
  if (!isDevelopment) requireLongSecrets(settings, { isDevelopment })
  requireClosed(settings, !isDevelopment)
  requireNoMailbox(settings, !isDevelopment || isProductionMode())
  const provider =
    auth?.under(engine) ??
    settings.authProvider ??
    createTokenProvider(settings, { engine, log }) ??
    options.apiKeys
  const ownAuthenticate = createAuthenticator(settings, provider)
  const limiter = options.limiter ?? createMemoryRateLimiter({ clock: Date.now })
  const limits = createRequestLimits(settings.limits, limiter)
  const expect = createExpect(settings, provider)
  const admission =
    options.authenticate === undefined
      ? createAdmission(limits, ownAuthenticate, expect)
      : createAdmission(limits, options.authenticate)
  const crossOrigin = createCrossOrigin(settings.security.cors)
  const shared = sharedOptions(engine, options)
  const handle = createRouteHandler({ ...shared, crossOrigin })
  const counted = { ...shared, hook: composeHooks([options.admin?.activity.hook, shared.hook]) }
  const guarding = { ...counted, crossOrigin, ...denialsInto(audit, shared) }
  const guarded = createRouteHandler(guarding)
  const readiness = createReadiness({ engine, store, isServing: isReady })

  const app = newApp(options.basePath)
  app.route('/', preflightRoutes(crossOrigin, handle))
  app.route('/', healthRoutes({ readiness, showDatabases: isDevelopment }, handle))
  app.route('/', dataRoutes(engine, admission, guarded, isDevelopment))
  app.route('/', actionRoutes(engine, auth?.forActions, admission, guarded))
  app.route('/', schemaRoutes(engine, admission, guarded))
  if (auth !== undefined) {
    app.route('/', authRoutes(auth, handle, admission, settings.limits.maxRequestBodyBytes))
  }
  if (auth !== undefined && settings.auth?.email.mailbox === true) {
    const own = createRouteHandler({ ...shared, crossOrigin: undefined })
    app.route('/', mailboxRoutes(auth, own))
  }
  app.route('/', openApiRoutes(engine, auth !== undefined, handle))
  if (metrics !== undefined && settings.internal === undefined) {
    app.route('/', metricsRoutes(metrics, handle))
  }
  if (options.admin !== undefined && settings.masterKey !== undefined) {
    const apiKeys = auth?.admin ?? options.apiKeys?.admin
    const administrator = { engine, auth, apiKeys, provider, limiter, readiness, isDevelopment }
    const headers = adminHeaders(settings.security)
    const refusals = denialsInto(audit, shared, 'admin')
    const own = createRouteHandler({ ...shared, headers, crossOrigin: undefined, ...refusals })
    app.route('/', adminRoutes({ ...administrator, ...options.admin, handle: own }))
  }
  if (options.hasRootPage === true) {
    const hasAdmin = options.admin?.site !== undefined && settings.masterKey !== undefined
    const { version } = options
    const shown = isDevelopment ? { version, hasAdmin } : { version: undefined, hasAdmin: false }
    app.route('/', rootRoutes(shown, handle))
  }
  const { authenticate, remoteAddress, basePath } = options
  const needsRequest = authenticate !== undefined || remoteAddress !== undefined
  const direct = needsRequest
    ? undefined
    : createDirectData({
        ...guarding,
        engine,
        admission: createAdmission(limits, ownAuthenticate, expect),
        basePath,
      })
  return { ...withFallbacks(app, handle), direct }
}

/** Health and metrics for operators, on a separate port: names of databases are included. */
export function buildInternalApp(engine: Engine, options: AppOptions): BuiltApp {
  const { metrics, store, isReady = () => true } = options
  // Health requests are answered until the server has stopped.
  const {
    hook: _hook,
    context: _context,
    ...shared
  } = sharedOptions(engine, { ...options, cancellation: undefined })
  const handle = createRouteHandler({ ...shared, crossOrigin: undefined })
  const readiness = createReadiness({ engine, store, isServing: isReady })
  const app = new Hono()
  app.route('/', healthRoutes({ readiness, showDatabases: true }, handle))
  if (metrics !== undefined) app.route('/', metricsRoutes(metrics, handle))
  return withFallbacks(app, handle)
}

function newApp(basePath: string | undefined): EngineApp {
  const app = new Hono()
  return basePath === undefined ? app : app.basePath(checkBasePath(basePath))
}

type SharedOptions = Omit<RouteHandlerOptions, 'crossOrigin'>

function sharedOptions(
  { settings }: Engine,
  {
    isDevelopment = !isProductionMode(),
    log = consoleLog,
    metrics,
    tracing,
    remoteAddress,
    cancellation = createCancellation(),
    uses,
  }: AppOptions,
): SharedOptions {
  const { security } = settings
  const requestLog = settings.log.requests ? createRequestLog(log) : undefined
  return {
    isDevelopment,
    log,
    logsRequests: settings.log.requests,
    headers: commonHeaders(security),
    trustProxy: security.trustProxy,
    remoteAddress,
    cancellation,
    uses,
    hook: composeHooks([metrics?.hook, requestLog]),
    context: tracing?.context,
    onError: metrics && (({ code }) => void metrics.countError(code)),
  }
}

/** Records refused requests of routes that serve data; `Auth` records its own. */
function denialsInto(
  audit: Audit | undefined,
  { onError }: SharedOptions,
  via = 'http',
): Pick<RouteHandlerOptions, 'onError'> {
  if (audit === undefined) return {}
  return {
    onError: (error, call) => {
      void onError?.(error, call)
      const { correlationId, ip } = call.client
      const origin: AuditOrigin = {
        correlationId,
        ip,
        via,
        caller: undefined,
        roles: undefined,
        credentialId: undefined,
      }
      return recordDenial(audit, error, { origin })
    },
  }
}

function withFallbacks(app: Hono, handle: ReturnType<typeof createRouteHandler>): BuiltApp {
  const nothing = handle(({ request }) => {
    throw new GatewayError('notFound', `There is nothing at ${new URL(request.url).pathname}.`, {
      publicMessage: 'There is nothing at this address.',
    })
  })
  const notFound: BuiltApp['notFound'] = (context) => nothing(context)
  const onError: BuiltApp['onError'] = (error, context) =>
    handle(() => {
      throw error
    })(context)
  app.notFound(notFound)
  app.onError(onError)
  return { app, notFound, onError }
}
