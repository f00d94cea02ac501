/** @module Opens everything that a configuration names: returns one Fetch handler, and a function that closes all. */
import {
  type ApiKeyProvider,
  type ApiKeyProviderOptions,
  type Auth,
  createApiKeyProvider,
  createAuth,
} from '@engine/auth'
import {
  type Config,
  consoleLog,
  createEngine,
  type Engine,
  type EngineOptions,
  type Observe,
  type RateLimiter,
} from '@engine/core'
import {
  type AuditLog,
  auditSecret,
  createAudit,
  createRateLimiter,
  isProductionMode,
  type OpenStoreOptions,
  openModeWarning,
  openStore,
  parseConfig,
  type Settings,
  type Store,
  serviceDatabaseSource,
} from '@engine/core/server'
import { openAdminSessions } from './admin-sessions.ts'
import { type AppOptions, createApp, createInternalApp, type EngineApp } from './app.ts'
import { addAuditMetrics } from './audit-metrics.ts'
import { addAuthMetrics } from './auth-metrics.ts'
import { createCancellation } from './cancellation.ts'
import { createCleanup } from './cleanup.ts'
import { addEngineMetrics } from './engine-metrics.ts'
import { createMetrics } from './metrics.ts'
import { addPgWireMetrics } from './pg-wire-metrics.ts'
import { requireLongSecrets } from './require-long-secrets.ts'
import type { AdminSite } from './routes/admin/site-routes.ts'
import { createTracing } from './tracing.ts'

export interface GatewayOptions
  extends Omit<EngineOptions, 'audit' | 'isProduction'>,
    Pick<OpenStoreOptions, 'serviceDatabases'>,
    Pick<AppOptions, 'remoteAddress' | 'basePath'> {
  /** Puts `details` and full messages into errors; default: true unless NODE_ENV is `production`. */
  readonly isDevelopment?: boolean
  /**
   * Logs a warning in open mode, where every caller has all rights; default true. False for a host that warns itself.
   */
  readonly saysOpenMode?: boolean
  /** The pages at `/admin`: `serveAdmin()` of `@engine/admin`. Without them, only `/admin/api` is there. */
  readonly adminSite?: AdminSite | undefined
  /** Version of the program, shown to administrators. */
  readonly version?: string
}

/** A running engine with its HTTP applications, accounts, limits and audit. */
export interface Gateway {
  /** Its `startPgWire` uses the same accounts, and the same rate limits as HTTP. */
  readonly engine: Engine
  readonly app: EngineApp
  /** For the internal port; undefined where none is configured. */
  readonly internalApp: EngineApp | undefined
  /** The service database; undefined where it is not needed. */
  readonly store: Store | undefined
  /** undefined where there is no service database. */
  readonly audit: AuditLog | undefined
  /** undefined in open mode, and with the application's own provider. */
  readonly auth: Auth | undefined
  readonly limiter: RateLimiter
  /** Makes `/health/ready` answer 503, so that load balancers use other nodes; requests are still answered. */
  beginStopping(): void
  /** Cancels requests that still run: they are answered 503 within 2 seconds. Later requests are answered 503 too. */
  cancelRunning(): void
  /** Closes everything that the handlers use. Call it after the last request is answered. */
  close(): Promise<void>
}

/**
 * Opens the databases and services of the configuration. Warnings and errors go to the console unless there is a `log`.
 *
 * @throws {GatewayError} `invalidConfiguration`; its `details.faults` lists every error.
 */
export async function createGateway(
  config: Config,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const settings = parseConfig(config, options.adapters)
  const { isDevelopment = !isProductionMode(), log = consoleLog } = options
  requireLongSecrets(settings, { isDevelopment, log })
  const cleanup = createCleanup()
  try {
    return await open(config, settings, { ...options, isDevelopment, log }, cleanup)
  } catch (error) {
    await cleanup.run()
    throw error
  }
}

type Cleanup = ReturnType<typeof createCleanup>

type OpenOptions = GatewayOptions & Required<Pick<GatewayOptions, 'isDevelopment' | 'log'>>

/** Resources are closed in the reverse order of opening. */
async function open(
  config: Config,
  settings: Settings,
  {
    isDevelopment,
    serviceDatabases,
    saysOpenMode = true,
    version,
    adminSite,
    remoteAddress,
    basePath,
    ...engineOptions
  }: OpenOptions,
  cleanup: Cleanup,
): Promise<Gateway> {
  const { log, clock = Date.now, directory } = engineOptions
  const store = needsStore(settings)
    ? await openStore({
        url: settings.serviceDatabase,
        log,
        ...(serviceDatabases === undefined ? {} : { serviceDatabases }),
        ...(directory === undefined ? {} : { directory }),
      })
    : undefined
  if (store !== undefined) cleanup.add(() => store.close())
  const audit = store && (await openAudit(settings, store, engineOptions))
  if (audit !== undefined) cleanup.add(() => audit.close())
  const limiter = await createRateLimiter({ limits: settings.limits, store, clock, log })
  cleanup.add(() => limiter.close())
  const metrics = settings.isMetricsEnabled ? await createMetrics() : undefined
  cleanup.add(async () => metrics?.close())
  const tracing = createTracing()
  const observe = composeObserve([metrics?.observe, tracing?.observe, engineOptions.observe])
  const bare = await createEngine(config, {
    ...engineOptions,
    observe,
    audit: recordingAudit(audit),
    isProduction: !isDevelopment || isProductionMode(),
  })
  cleanup.add(() => bare.close())
  const auth =
    settings.auth &&
    store &&
    (await createAuth({
      settings: settings.auth,
      jwt: settings.jwt,
      masterKey: settings.masterKey,
      store,
      engine: bare,
      limiter,
      audit: recordingAudit(audit),
      isProduction: !isDevelopment,
      log,
      clock,
    }))
  if (auth !== undefined) cleanup.add(() => auth.close())
  const apiKeys = await openApiKeys(settings, { store, limiter, log, clock })
  if (apiKeys !== undefined) cleanup.add(() => apiKeys.close())
  const engine: Engine = {
    ...bare,
    startPgWire: (given) =>
      bare.startPgWire({ provider: auth ?? apiKeys, limiter, isDevelopment, ...given }),
  }
  if (metrics !== undefined) addEngineMetrics(metrics, engine)
  if (metrics !== undefined && settings.pgWire !== undefined) addPgWireMetrics(metrics, engine)
  if (metrics !== undefined && audit !== undefined) addAuditMetrics(metrics, audit)
  if (metrics !== undefined && auth !== undefined) addAuthMetrics(metrics, auth)
  if (bare.isOpen && saysOpenMode) log.warn({}, openModeWarning)
  const admin =
    audit && store && settings.masterKey !== undefined
      ? {
          audit,
          store,
          sessions: await openAdminSessions(store, settings.masterKey, clock),
          site: adminSite,
          config,
          version,
          clock,
        }
      : undefined
  let isReady = true
  const cancellation = createCancellation()
  const appOptions: AppOptions = {
    isDevelopment,
    log,
    store,
    auth,
    apiKeys,
    limiter,
    audit: recordingAudit(audit),
    admin,
    metrics,
    tracing,
    cancellation,
    isReady: () => isReady,
    remoteAddress,
    basePath,
  }
  return {
    engine,
    app: createApp(engine, appOptions),
    internalApp: settings.internal && createInternalApp(engine, appOptions),
    store,
    audit,
    auth,
    limiter,
    beginStopping: () => {
      isReady = false
    },
    cancelRunning: cancellation.cancelAll,
    close: cleanup.run,
  }
}

/** @returns undefined where `auth` handles them, or no service database is open. */
async function openApiKeys(
  { auth, authProvider }: Settings,
  {
    store,
    ...options
  }: Omit<ApiKeyProviderOptions, 'store'> & { readonly store: Store | undefined },
): Promise<ApiKeyProvider | undefined> {
  if (store === undefined || auth !== undefined || authProvider !== undefined) return undefined
  return createApiKeyProvider({ ...options, store })
}

/** @returns undefined without metrics: then no times are measured. */
function composeObserve(all: readonly (Observe | undefined)[]): Observe | undefined {
  const present = all.filter((observe) => observe !== undefined)
  if (present.length === 0) return undefined
  return (event) => {
    for (const observe of present) observe(event)
  }
}

function openAudit(
  settings: Settings,
  store: Store,
  { log, clock = Date.now }: Pick<OpenOptions, 'log' | 'clock'>,
): Promise<AuditLog> {
  const secret = auditSecret(settings)
  return createAudit({ settings: settings.audit, store, log, clock, secret })
}

/** Returns the audit only where it is on, so that callers need not check. */
function recordingAudit(audit: AuditLog | undefined): AuditLog | undefined {
  return audit?.isEnabled === true ? audit : undefined
}

/**
 * Accounts, API keys and the audit are stored there, and counts of requests where nodes can share it. Where the
 * configuration names a service database, it may contain API keys; otherwise it is not needed.
 */
export function needsStore(settings: Settings): boolean {
  const { auth, audit, masterKey, limits, serviceDatabase, pgWire } = settings
  const { rateLimitPerIp, rateLimitPerUser, rateLimitStore } = limits
  const isCounting = rateLimitPerIp !== undefined || rateLimitPerUser !== undefined
  const isServer =
    serviceDatabaseSource(serviceDatabase)?.adapterPackage !== '@engine/adapters-sqlite'
  const sharesCounts = isCounting && rateLimitStore === undefined && isServer
  const hasKeys = settings.isServiceDatabaseNamed || pgWire?.strategies.includes('apiKey') === true
  return auth !== undefined || audit.enabled || masterKey !== undefined || sharesCounts || hasKeys
}
