/** @module Everything that a configuration asks for, put together: one Fetch handler and how to end it. */
import { type Auth, createAuth } from '@engine/auth'
import {
  type AuditLog,
  auditSecret,
  type Config,
  createAudit,
  createEngine,
  createRateLimiter,
  type Engine,
  type EngineOptions,
  type Observe,
  type OpenStoreOptions,
  openStore,
  parseConfig,
  type RateLimiter,
  type Settings,
  type Store,
  silentLog,
} from '@engine/core'
import { type AppOptions, createApp, createInternalApp, type EngineApp } from './app.ts'
import { addAuditMetrics } from './audit-metrics.ts'
import { addAuthMetrics } from './auth-metrics.ts'
import { createCleanup } from './cleanup.ts'
import { addEngineMetrics } from './engine-metrics.ts'
import { createMetrics } from './metrics.ts'
import { addPgWireMetrics } from './pg-wire-metrics.ts'
import { requireLongSecrets } from './require-long-secrets.ts'
import { createTracing } from './tracing.ts'

export interface GatewayOptions
  extends Omit<EngineOptions, 'audit'>,
    Pick<OpenStoreOptions, 'serviceDatabases'>,
    Pick<AppOptions, 'remoteAddress' | 'basePath'> {
  /** Puts `details` and full messages into errors; for NODE_ENV other than `production`. */
  readonly isDevelopment: boolean
  /** Of the program, for its administrators. */
  readonly version?: string
}

/** A running engine behind HTTP, with its accounts, limits and audit. */
export interface Gateway {
  /** Its `startPgWire` knows the accounts, and counts requests together with HTTP. */
  readonly engine: Engine
  readonly app: EngineApp
  /** For the internal port; undefined where none is configured. */
  readonly internalApp: EngineApp | undefined
  /** The service database; undefined where nothing needs one. */
  readonly store: Store | undefined
  /** undefined where there is no service database. */
  readonly audit: AuditLog | undefined
  /** undefined in open mode, and with a provider of the application's own. */
  readonly auth: Auth | undefined
  readonly limiter: RateLimiter
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
  const settings = parseConfig(config)
  requireLongSecrets(settings, options)
  const cleanup = createCleanup()
  try {
    return await open(config, settings, options, cleanup)
  } catch (error) {
    await cleanup.run()
    throw error
  }
}

type Cleanup = ReturnType<typeof createCleanup>

/** What is opened first is closed last. */
async function open(
  config: Config,
  settings: Settings,
  {
    isDevelopment,
    serviceDatabases,
    version,
    remoteAddress,
    basePath,
    ...engineOptions
  }: GatewayOptions,
  cleanup: Cleanup,
): Promise<Gateway> {
  const { log = silentLog, clock = Date.now, directory } = engineOptions
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
  const engine: Engine = {
    ...bare,
    startPgWire: (given) => bare.startPgWire({ provider: auth, limiter, isDevelopment, ...given }),
  }
  if (metrics !== undefined) addEngineMetrics(metrics, engine)
  if (metrics !== undefined && settings.pgWire !== undefined) addPgWireMetrics(metrics, engine)
  if (metrics !== undefined && audit !== undefined) addAuditMetrics(metrics, audit)
  if (metrics !== undefined && auth !== undefined) addAuthMetrics(metrics, auth)
  let isReady = true
  const appOptions: AppOptions = {
    isDevelopment,
    log,
    store,
    auth,
    limiter,
    audit: recordingAudit(audit),
    admin: audit && store && { audit, store, config, version, clock },
    metrics,
    tracing,
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
    close: cleanup.run,
  }
}

/** @returns undefined for none: nothing is timed then. */
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
  { log = silentLog, clock = Date.now }: Pick<EngineOptions, 'log' | 'clock'>,
): Promise<AuditLog> {
  const secret = auditSecret(settings)
  return createAudit({ settings: settings.audit, store, log, clock, secret })
}

/** Whoever writes into it need not ask whether it is on. */
function recordingAudit(audit: AuditLog | undefined): AuditLog | undefined {
  return audit?.isEnabled === true ? audit : undefined
}

/** Accounts, API keys and the audit are kept there, and counts of requests where nodes can share it; else it is not needed. */
export function needsStore({ auth, audit, masterKey, limits, serviceDatabase }: Settings): boolean {
  const { rateLimitPerIp, rateLimitPerUser, rateLimitStore } = limits
  const isCounting = rateLimitPerIp !== undefined || rateLimitPerUser !== undefined
  const isServer = /^(?!file:)\w+:/.test(serviceDatabase)
  const sharesCounts = isCounting && rateLimitStore === undefined && isServer
  return auth !== undefined || audit.enabled || masterKey !== undefined || sharesCounts
}
