/** @module Everything that a gateway opens besides its HTTP applications, in order. It is closed in the reverse order. */
import {
  type ApiKeyProvider,
  type ApiKeyProviderOptions,
  type Auth,
  createApiKeyProvider,
  createAuth,
} from '@engine/auth'
import {
  type Config,
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
  parseConfig,
  type Settings,
} from '@engine/core/server'
import { openStore, type Store } from '@engine/core/store'
import { type AdminSessions, openAdminSessions } from '../administrators/admin-sessions.ts'
import {
  openStoredConfiguration,
  type StoredConfiguration,
} from '../interactive/open-interactive.ts'
import { type Activity, createActivity } from '../metrics/activity.ts'
import { addAuditMetrics } from '../metrics/audit-metrics.ts'
import { addAuthMetrics } from '../metrics/auth-metrics.ts'
import { addEngineMetrics } from '../metrics/engine-metrics.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { addPgWireMetrics } from '../metrics/pg-wire-metrics.ts'
import { openTracing } from '../telemetry/open-tracing.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Cleanup } from './cleanup.ts'
import type { GatewayOptions } from './gateway-interface.ts'
import { needsStore } from './needs-store.ts'

/** The service database, and the configuration that is used. */
interface Stored {
  /** undefined where it is not needed. */
  readonly store: Store | undefined
  /** In interactive mode. */
  readonly stored: StoredConfiguration | undefined
  readonly config: Config
  readonly settings: Settings
}

/** What is called with each stage of a statement. */
interface Observers {
  readonly metrics: Metrics | undefined
  readonly tracing: Tracing | undefined
  readonly activity: Activity | undefined
}

/** Those who sign in. */
interface Accounts {
  readonly auth: Auth | undefined
  readonly apiKeys: ApiKeyProvider | undefined
  readonly sessions: AdminSessions | undefined
}

export interface Services extends Stored, Observers, Accounts {
  readonly engine: Engine
  /** undefined where there is no service database; it may be off. */
  readonly audit: AuditLog | undefined
  readonly limiter: RateLimiter
}

export interface ServicesOptions extends Pick<GatewayOptions, 'siblings'> {
  readonly serviceDatabases: GatewayOptions['serviceDatabases'] | undefined
  readonly onConfiguration: GatewayOptions['onConfiguration'] | undefined
  readonly isDevelopment: boolean
  readonly engineOptions: EngineOptions & Required<Pick<EngineOptions, 'log' | 'clock'>>
  /** As in `EngineOptions`: used in interactive mode. */
  readonly upToDate: () => Promise<void> | undefined
}

/** @throws {GatewayError} `invalidConfiguration`; what was opened is closed by `cleanup`. */
export async function openServices(
  code: Config,
  settingsInCode: Settings,
  options: ServicesOptions,
  cleanup: Cleanup,
): Promise<Services> {
  const stored = await openStored(code, settingsInCode, options, cleanup)
  const { store, settings } = stored
  const { log, clock } = options.engineOptions
  const audit = store && (await openAudit(settings, store, options))
  if (audit !== undefined) cleanup.add(() => audit.close())
  const machineCounts = options.siblings?.counts
  const { limits } = settings
  const limiter = await createRateLimiter({ limits, store, machineCounts, clock, log })
  cleanup.add(() => limiter.close())
  const observers = await openObservers(stored, options, cleanup)
  const engine = await openEngine(stored, observers, audit, options)
  cleanup.add(() => engine.close())
  const parts = { ...stored, ...observers, engine, audit, limiter }
  const services = { ...parts, ...(await openAccounts(parts, options, cleanup)) }
  addMetrics(services)
  return services
}

async function openStored(
  code: Config,
  settingsInCode: Settings,
  { siblings, serviceDatabases, onConfiguration, engineOptions }: ServicesOptions,
  cleanup: Cleanup,
): Promise<Stored> {
  const { mode, masterKey, serviceDatabase } = settingsInCode
  const { directory, adapters, log, clock } = engineOptions
  const store = needsStore(settingsInCode)
    ? await openStore({
        url: serviceDatabase,
        log,
        isShared: siblings !== undefined,
        ...(serviceDatabases === undefined ? {} : { serviceDatabases }),
        ...(directory === undefined ? {} : { directory }),
      })
    : undefined
  if (store !== undefined) cleanup.add(() => store.close())
  const stored =
    mode === 'interactive' && store !== undefined && masterKey !== undefined
      ? await openStoredConfiguration(code, { store, masterKey, clock })
      : undefined
  const config = stored?.config ?? code
  onConfiguration?.(config)
  const settings = stored === undefined ? settingsInCode : parseConfig(config, adapters)
  return { store, stored, config, settings }
}

async function openObservers(
  { settings, store }: Stored,
  { siblings, engineOptions }: ServicesOptions,
  cleanup: Cleanup,
): Promise<Observers> {
  const metrics = settings.isMetricsEnabled
    ? await createMetrics(siblings?.renderMetrics)
    : undefined
  cleanup.add(async () => metrics?.close())
  const tracing = await openTracing()
  const hasPages = store !== undefined && settings.masterKey !== undefined
  const activity = hasPages ? createActivity(engineOptions.clock) : undefined
  cleanup.add(async () => activity?.close())
  return { metrics, tracing, activity }
}

function openEngine(
  { config, stored }: Stored,
  { metrics, tracing, activity }: Observers,
  audit: AuditLog | undefined,
  { isDevelopment, engineOptions, upToDate }: ServicesOptions,
): Promise<Engine> {
  const { observe } = engineOptions
  return createEngine(config, {
    ...engineOptions,
    observe: composeObserve([activity?.observe, metrics?.observe, tracing?.observe, observe]),
    audit: recordingAudit(audit),
    isProduction: !isDevelopment || isProductionMode(),
    ...(stored === undefined ? {} : { upToDate }),
  })
}

async function openAccounts(
  {
    settings,
    store,
    engine,
    limiter,
    audit,
  }: Pick<Services, 'settings' | 'store' | 'engine' | 'limiter' | 'audit'>,
  { isDevelopment, engineOptions }: ServicesOptions,
  cleanup: Cleanup,
): Promise<Accounts> {
  const { log, clock } = engineOptions
  const { jwt, masterKey } = settings
  const isProduction = !isDevelopment
  const common = { store, engine, limiter, audit, isProduction, log, clock }
  const auth =
    settings.auth &&
    store &&
    (await createAuth({ ...common, settings: settings.auth, jwt, masterKey, store }))
  if (auth !== undefined) cleanup.add(() => auth.close())
  const apiKeys = await openApiKeys(settings, { store, limiter, log, clock })
  if (apiKeys !== undefined) cleanup.add(() => apiKeys.close())
  const sessions =
    store !== undefined && masterKey !== undefined
      ? await openAdminSessions(store, masterKey, clock)
      : undefined
  return { auth, apiKeys, sessions }
}

function addMetrics({ metrics, settings, engine, audit, auth }: Services): void {
  if (metrics === undefined) return
  addEngineMetrics(metrics, engine)
  if (settings.pgWire !== undefined) addPgWireMetrics(metrics, engine)
  if (audit !== undefined) addAuditMetrics(metrics, audit)
  if (auth !== undefined) addAuthMetrics(metrics, auth)
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
  { engineOptions: { log, clock } }: ServicesOptions,
): Promise<AuditLog> {
  const secret = auditSecret(settings)
  return createAudit({ settings: settings.audit, store, log, clock, secret })
}

/** Returns the audit only where it is on, so that callers need not check. */
function recordingAudit(audit: AuditLog | undefined): AuditLog | undefined {
  return audit?.isEnabled === true ? audit : undefined
}
