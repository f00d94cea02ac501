/** @module Opens everything that a configuration names: returns one Fetch handler, and a function that closes all. */
import { requireSignUp, requireUserTable } from '@engine/auth'
import { type Config, consoleLog, type Engine } from '@engine/core'
import {
  type Fault,
  invalidConfiguration,
  isProductionMode,
  openModeWarning,
  parseConfig,
  type Settings,
} from '@engine/core/server'
import { requireLongSecrets } from '../admission/require-long-secrets.ts'
import {
  createInteractive,
  type Interactive,
  type ReplaceConfiguration,
} from '../interactive/open-interactive.ts'
import { Applications } from './applications.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import type { Gateway, GatewayOptions } from './gateway-interface.ts'
import { needsStore } from './needs-store.ts'
import { openServices, type Services } from './open-services.ts'

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

type OpenOptions = GatewayOptions & Required<Pick<GatewayOptions, 'isDevelopment' | 'log'>>

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
    demo,
    remoteAddress,
    basePath,
    hasRootPage,
    onConfiguration,
    clock = Date.now,
    ...others
  }: OpenOptions,
  cleanup: Cleanup,
): Promise<Gateway> {
  const engineOptions = { ...others, clock }
  const { log } = engineOptions
  let interactive: Interactive | undefined
  const common = { isDevelopment, siblings, engineOptions }
  const services = await openServices(
    code,
    settingsInCode,
    {
      ...common,
      serviceDatabases,
      onConfiguration,
      upToDate: () => interactive?.follower.upToDate(),
    },
    cleanup,
  )
  const { stored, store, settings } = services
  const pages = {
    adminSite,
    guessRules,
    findSchemas,
    demo,
    version,
    remoteAddress,
    basePath,
    hasRootPage,
  }
  const apps = new Applications(services, { ...common, ...pages }, () => interactive)
  const warnIfOpen = () => {
    if (services.engine.isOpen && saysOpenMode) log.warn({}, openModeWarning)
  }
  warnIfOpen()
  const parse = (next: Config): Settings => {
    onConfiguration?.(next)
    return parseConfig(next, engineOptions.adapters)
  }
  const replace = createReplace(services, apps, { parse, onOpen: warnIfOpen })
  if (stored !== undefined && store !== undefined) {
    const testing = { ...engineOptions, serviceDatabases, onConfiguration }
    interactive = createInteractive({ code, stored, store, settings, replace, testing, log })
  }
  const shown = apps.start(services.config)
  const reconfigure = async (next: Config): Promise<void> => {
    await (interactive === undefined ? replace(next, {}) : interactive.reconfigure(next))
  }
  const engine = withAccounts(services, { isDevelopment, siblings, reconfigure })
  return gatewayOf({ services, apps, ...shown, engine, close: cleanup.run })
}

/** The options that the configuration in use and the applications depend on change together. */
function createReplace(
  { store, settings, engine, audit }: Services,
  apps: Applications,
  { parse, onOpen }: { readonly parse: (next: Config) => Settings; readonly onOpen: () => void },
): ReplaceConfiguration {
  return async (next, options) => {
    const nextSettings = parse(next)
    const faults = store === undefined ? serviceDatabaseFaults(settings, nextSettings) : []
    if (faults.length > 0) throw invalidConfiguration(faults)
    const { enabled } = nextSettings.audit
    const wasOpen = engine.isOpen
    options.check?.(nextSettings)
    await engine.reconfigure(next, {
      audit: enabled && audit !== undefined ? audit : 'off',
      mayBeUnreachable: options.mayBeUnreachable,
      prepare: (generation) => {
        const { userTable } = nextSettings.auth ?? {}
        if (userTable !== undefined) requireUserTable(userTable, generation.engine)
        requireSignUp(nextSettings, generation.engine)
        const made = apps.build(generation, next)
        options.beforeUse?.()
        return () => {
          apps.replace(made)
          audit?.reconfigure(nextSettings.audit)
        }
      },
    })
    if (!wasOpen) onOpen()
  }
}

/** The engine for a host: its wire server and its actions know the accounts. */
function withAccounts(
  { engine, auth, apiKeys, limiter, audit }: Services,
  {
    isDevelopment,
    siblings,
    reconfigure,
  }: Pick<OpenOptions, 'isDevelopment' | 'siblings'> & Pick<Gateway, 'reconfigure'>,
): Engine {
  const provider = auth ?? apiKeys
  return withMethods(engine, {
    startPgWire: (given) =>
      engine.startPgWire({
        provider,
        limiter,
        audit,
        isDevelopment,
        siblings: siblings?.pgWire,
        ...given,
      }),
    reconfigure,
    callAction: (request, caller) =>
      engine.callAction({ accounts: auth?.forActions, ...request }, caller),
  })
}

function gatewayOf({
  services,
  apps,
  ...own
}: {
  readonly services: Services
  readonly apps: Applications
} & Pick<Gateway, 'app' | 'internalApp' | 'engine' | 'close'>): Gateway {
  const { store, audit, auth, limiter, metrics, activity, sessions } = services
  return {
    ...own,
    reconfigure: (config) => own.engine.reconfigure(config),
    store,
    audit,
    auth,
    limiter,
    metricValues: async () => metrics?.values(),
    activity: () => activity?.report(),
    state: apps.state,
    noteRefusal: (noted) => {
      apps.refusal = noted
    },
    createAdminLink: () => (sessions === undefined ? undefined : apps.links.create()),
    beginStopping: () => {
      apps.isReady = false
    },
    cancelRunning: apps.cancellation.cancelAll,
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
