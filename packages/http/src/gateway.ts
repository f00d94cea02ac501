/** @module Opens everything that a configuration names: returns one Fetch handler, and a function that closes all. */
import {
  type ApiKeyProvider,
  type ApiKeyProviderOptions,
  type Auth,
  createApiKeyProvider,
  createAuth,
  requireSignUp,
  requireUserTable,
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
  type EngineGeneration,
  type Fault,
  invalidConfiguration,
  isProductionMode,
  type OpenStoreOptions,
  openModeWarning,
  openStore,
  parseConfig,
  type Settings,
  type Store,
  serviceDatabaseSource,
} from '@engine/core/server'
import { type ActivityReport, createActivity } from './activity.ts'
import { createAdminLinks } from './admin-links.ts'
import { openAdminSessions } from './admin-sessions.ts'
import { type AppOptions, buildApp, buildInternalApp, type EngineApp } from './app.ts'
import { addAuditMetrics } from './audit-metrics.ts'
import { addAuthMetrics } from './auth-metrics.ts'
import { createCancellation } from './cancellation.ts'
import { createCleanup } from './cleanup.ts'
import { addEngineMetrics } from './engine-metrics.ts'
import { createFreshness } from './interactive/freshness.ts'
import {
  createInteractive,
  type Interactive,
  openStoredConfiguration,
  type ReplaceConfiguration,
} from './interactive/open-interactive.ts'
import { createMetrics, type MetricValues } from './metrics.ts'
import { openTracing } from './open-tracing.ts'
import { addPgWireMetrics } from './pg-wire-metrics.ts'
import type { RefusedConfiguration } from './refused-configuration.ts'
import { requireLongSecrets } from './require-long-secrets.ts'
import type { FindSchemas } from './routes/admin/found-schemas.ts'
import type { GuessRules } from './routes/admin/rules-guess.ts'
import type { AdminSite } from './routes/admin/site-routes.ts'
import { type ProcessState, processState, type Siblings } from './siblings.ts'
import { createSwitchingApp } from './switching-app.ts'

/** Options of `createGateway`. */
export interface GatewayOptions
  extends Omit<EngineOptions, 'audit' | 'isProduction' | 'upToDate'>,
    Pick<OpenStoreOptions, 'serviceDatabases'>,
    Pick<AppOptions, 'remoteAddress' | 'basePath' | 'hasRootPage'> {
  /** Puts `details` and full messages into errors; default: true unless NODE_ENV is `production`. */
  readonly isDevelopment?: boolean
  /**
   * Logs a warning in open mode, where every caller has all rights; default true. False for a host that warns itself.
   */
  readonly saysOpenMode?: boolean
  /** Other processes of this machine that serve the same configuration on the same ports. */
  readonly siblings?: Siblings | undefined
  /** Called with every configuration before it is used, also a stored one: for logs that hide its secrets. */
  readonly onConfiguration?: (config: unknown) => void
  /** The pages at `/admin`: `serveAdmin()` of `@engine/admin`. Without them, only `/admin/api` is there. */
  readonly adminSite?: AdminSite | undefined
  /** The first rules that the pages propose; undefined: they propose none. */
  readonly guessRules?: GuessRules | undefined
  /** The schemas that the pages offer for a connection; undefined: they offer none. */
  readonly findSchemas?: FindSchemas | undefined
  /** Version of the program, shown to administrators, and outside of production at `GET /`. */
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
  /**
   * Replaces the configuration while requests run; in interactive mode the part that is in code. Each request, batch, action and transaction runs under one configuration from
   * its beginning to its answer; new ones use the new one when this resolves. Nothing that runs is ended, databases whose
   * settings are the same stay open, others are closed after their last use. Connections, permissions, channels, actions,
   * limits, security, audit and `schemaEndpoint` can change. Calls run one after the other.
   *
   * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault, among them options that need a
   * restart, and databases of new and changed connections that cannot be reached. Then nothing has changed.
   */
  reconfigure(config: Config): Promise<void>
  /** The metrics of this process alone; undefined where they are off. */
  metricValues(): Promise<MetricValues | undefined>
  /** What this process did in the last hour; undefined without a `masterKey`. */
  activity(): ActivityReport | undefined
  /** What administrators see of this process. */
  state(): ProcessState
  /** A configuration file was changed and refused, as administrators see it; undefined: the file is in use. */
  noteRefusal(refusal: RefusedConfiguration | undefined): void
  /**
   * A token that signs an administrator in once, within two minutes and from this machine: the pages at `/admin#sign-in=<token>`
   * exchange it. undefined without a `masterKey`.
   */
  createAdminLink(): string | undefined
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
 *
 * @example
 * const gateway = await createGateway({ connections: { main: 'postgres://app@localhost/shop' }, permissions })
 * const answer = await gateway.app.fetch(new Request('http://localhost/health'))
 * await gateway.close()
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
  code: Config,
  settingsInCode: Settings,
  {
    isDevelopment,
    serviceDatabases,
    saysOpenMode = true,
    version,
    siblings,
    adminSite,
    guessRules,
    findSchemas,
    remoteAddress,
    basePath,
    hasRootPage,
    onConfiguration,
    ...engineOptions
  }: OpenOptions,
  cleanup: Cleanup,
): Promise<Gateway> {
  const { log, clock = Date.now, directory } = engineOptions
  const store = needsStore(settingsInCode)
    ? await openStore({
        url: settingsInCode.serviceDatabase,
        log,
        isShared: siblings !== undefined,
        ...(serviceDatabases === undefined ? {} : { serviceDatabases }),
        ...(directory === undefined ? {} : { directory }),
      })
    : undefined
  if (store !== undefined) cleanup.add(() => store.close())
  const { mode, masterKey } = settingsInCode
  const stored =
    mode === 'interactive' && store !== undefined && masterKey !== undefined
      ? await openStoredConfiguration(code, { store, masterKey, clock })
      : undefined
  const config = stored?.config ?? code
  onConfiguration?.(config)
  const settings =
    stored === undefined ? settingsInCode : parseConfig(config, engineOptions.adapters)
  let interactive: Interactive | undefined
  const audit = store && (await openAudit(settings, store, engineOptions))
  if (audit !== undefined) cleanup.add(() => audit.close())
  const limiter = await createRateLimiter({
    limits: settings.limits,
    store,
    machineCounts: siblings?.counts,
    clock,
    log,
  })
  cleanup.add(() => limiter.close())
  const metrics = settings.isMetricsEnabled
    ? await createMetrics(siblings?.renderMetrics)
    : undefined
  cleanup.add(async () => metrics?.close())
  const tracing = await openTracing()
  const activity =
    store !== undefined && masterKey !== undefined ? createActivity(clock) : undefined
  cleanup.add(async () => activity?.close())
  const observe = composeObserve([
    activity?.observe,
    metrics?.observe,
    tracing?.observe,
    engineOptions.observe,
  ])
  const bare = await createEngine(config, {
    ...engineOptions,
    observe,
    audit: recordingAudit(audit),
    isProduction: !isDevelopment || isProductionMode(),
    ...(stored === undefined ? {} : { upToDate: () => interactive?.follower.upToDate() }),
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
      audit,
      isProduction: !isDevelopment,
      log,
      clock,
    }))
  if (auth !== undefined) cleanup.add(() => auth.close())
  const apiKeys = await openApiKeys(settings, { store, limiter, log, clock })
  if (apiKeys !== undefined) cleanup.add(() => apiKeys.close())
  if (metrics !== undefined) addEngineMetrics(metrics, bare)
  if (metrics !== undefined && settings.pgWire !== undefined) addPgWireMetrics(metrics, bare)
  if (metrics !== undefined && audit !== undefined) addAuditMetrics(metrics, audit)
  if (metrics !== undefined && auth !== undefined) addAuthMetrics(metrics, auth)
  const sessions =
    store !== undefined && settings.masterKey !== undefined
      ? await openAdminSessions(store, settings.masterKey, clock)
      : undefined
  const links = createAdminLinks(clock)
  const warnIfOpen = () => {
    if (bare.isOpen && saysOpenMode) log.warn({}, openModeWarning)
  }
  warnIfOpen()
  let isReady = true
  const state = processState(bare, clock)
  activity?.begin(state)
  const cancellation = createCancellation()
  let refusal: RefusedConfiguration | undefined
  const appsOf = ({ engine: own, uses }: EngineGeneration, written: Config) => {
    const appOptions: AppOptions = {
      isDevelopment,
      log,
      store,
      auth,
      apiKeys,
      limiter,
      audit: own.settings.audit.enabled ? audit : undefined,
      admin: audit &&
        store &&
        sessions &&
        activity && {
          audit,
          store,
          sessions,
          links,
          activity,
          site: adminSite,
          guessRules,
          findSchemas,
          config: () => written,
          configuration: interactive,
          refusal: () => refusal,
          version,
          clock,
          siblings,
          state,
        },
      metrics,
      tracing,
      cancellation,
      uses,
      isReady: () => isReady,
      remoteAddress,
      basePath,
      hasRootPage,
      version,
    }
    return {
      app: buildApp(own, appOptions),
      internalApp: own.settings.internal && buildInternalApp(own, appOptions),
    }
  }
  const replace: ReplaceConfiguration = async (next, options) => {
    onConfiguration?.(next)
    const nextSettings = parseConfig(next, engineOptions.adapters)
    const faults = store === undefined ? serviceDatabaseFaults(settings, nextSettings) : []
    if (faults.length > 0) throw invalidConfiguration(faults)
    const { enabled } = nextSettings.audit
    const wasOpen = bare.isOpen
    options.check?.(nextSettings)
    await bare.reconfigure(next, {
      audit: enabled && audit !== undefined ? audit : 'off',
      mayBeUnreachable: options.mayBeUnreachable,
      prepare: (generation) => {
        const { userTable } = nextSettings.auth ?? {}
        if (userTable !== undefined) requireUserTable(userTable, generation.engine)
        requireSignUp(nextSettings, generation.engine)
        const made = appsOf(generation, next)
        options.beforeUse?.()
        return () => {
          app.replace(made.app)
          if (made.internalApp !== undefined) internalApp?.replace(made.internalApp)
          audit?.reconfigure(nextSettings.audit)
        }
      },
    })
    if (!wasOpen) warnIfOpen()
  }
  const reconfigure = async (next: Config): Promise<void> => {
    await (interactive === undefined ? replace(next, {}) : interactive.reconfigure(next))
  }
  if (stored !== undefined && store !== undefined) {
    interactive = createInteractive({
      code,
      stored,
      store,
      settings,
      replace,
      testing: { ...engineOptions, serviceDatabases, onConfiguration },
      log,
    })
  }
  const first = appsOf(bare.current(), config)
  const app = createSwitchingApp(first.app, interactive && createFreshness(interactive.follower))
  const internalApp = first.internalApp && createSwitchingApp(first.internalApp)
  const engine: Engine = withMethods(bare, {
    startPgWire: (given) =>
      bare.startPgWire({
        provider: auth ?? apiKeys,
        limiter,
        audit,
        isDevelopment,
        siblings: siblings?.pgWire,
        ...given,
      }),
    reconfigure,
    callAction: (request, caller) =>
      bare.callAction({ accounts: auth?.forActions, ...request }, caller),
  })
  return {
    engine,
    app: app.app,
    internalApp: internalApp?.app,
    store,
    audit,
    auth,
    limiter,
    reconfigure,
    metricValues: async () => metrics?.values(),
    activity: () => activity?.report(),
    state,
    noteRefusal: (noted) => {
      refusal = noted
    },
    createAdminLink: () => (sessions === undefined ? undefined : links.create()),
    beginStopping: () => {
      isReady = false
    },
    cancelRunning: cancellation.cancelAll,
    close: cleanup.run,
  }
}

/** The engine with other methods; its settings stay those of the moment. */
function withMethods(engine: Engine, methods: Partial<Engine>): Engine {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(engine), ...Object.getOwnPropertyDescriptors(methods) },
  ) as Engine
}

/** The options that need the service database, which is not opened while the process runs. Others cannot change at all. */
function serviceDatabaseFaults(before: Settings, after: Settings): readonly Fault[] {
  const message = 'needs the service database, which is opened at the start: this needs a restart'
  if (after.audit.enabled && !before.audit.enabled) return [{ path: 'audit.enabled', message }]
  const isCounting = needsStore({ ...before, limits: after.limits })
  return isCounting ? [{ path: 'limits', message }] : []
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
