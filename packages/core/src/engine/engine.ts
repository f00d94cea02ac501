/** @module The engine: data sources, permissions and caches around the pipeline. Start at `createEngine`. */
import type { Config } from '../config/options/config.ts'
import { requireClosed } from '../config/parse/open-mode.ts'
import { invalidConfiguration, parseConfig } from '../config/parse/parse-config.ts'
import { admin } from '../foundation/caller.ts'
import { isProductionMode } from '../foundation/is-production.ts'
import { silentLog } from '../foundation/log.ts'
import type { ClientSession } from '../runtime/client-session/client-session.ts'
import { createClientSession } from '../runtime/client-session/create-client-session.ts'
import { createVisibleCatalogs } from '../runtime/client-session/describe-visible.ts'
import { createSessionPlans } from '../runtime/client-session/session-plans.ts'
import { createEngineDatabase } from '../runtime/engine-database/engine-database.ts'
import type {
  ConfiguredEngine,
  Engine,
  EngineGeneration,
  EngineOptions,
} from './engine-interface.ts'
import type { Generation } from './generation.ts'
import { Generations } from './generations.ts'
import { loadAuthProvider } from './load-adapter.ts'
import type { OpenSessionOptions } from './pg-wire-server.ts'
import { createPgWireStarter, type PgWireStarter } from './start-pg-wire.ts'

/**
 * Checks the configuration, opens its connections and reads their catalogs. A database that cannot be reached does not keep the
 * others from starting: the attempts are repeated.
 *
 * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault.
 *
 * @example
 * const engine = await createEngine({ connections: { main: 'postgres://app@localhost/shop' }, permissions })
 * const answer = await engine.query(
 *   { sql: 'select * from main.orders', params: [], method: 'all', meta: false, signal: undefined },
 *   { kind: 'user', id: 'u1', roles: ['customer'], fields: { customer_id: 7 } },
 * )
 */
export async function createEngine(config: Config, options: EngineOptions = {}): Promise<Engine> {
  const settings = parseConfig(config, options.adapters)
  const { log = silentLog, clock = Date.now, observe, adapters = {}, loadAdapter, audit } = options
  const { directory = process.cwd(), isProduction = isProductionMode(), upToDate } = options
  if (settings.mode === 'interactive' && upToDate === undefined) {
    const message = 'is served by createGateway and engine-server: the configuration is stored'
    throw invalidConfiguration([{ path: 'mode', message: `"interactive" ${message}` }])
  }
  requireClosed(settings, isProduction)
  const places = { adapters, loadAdapter, directory }
  const facts = { log, clock, observe, audit, isProduction, known: options.adapters }
  const generations = await Generations.open(settings, { ...places, ...facts })

  /** The same with every configuration. */
  const plans = createSessionPlans()
  const visible = createVisibleCatalogs()
  const environment = () => generations.current.environment
  const openSession = (session: OpenSessionOptions): ClientSession =>
    createClientSession({ ...session, environment, plans, visible, upToDate })
  const { serviceDatabases } = options
  const pgWire = createPgWireStarter({
    settings: () => generations.current.settings,
    openSession,
    openProvider: async ({ limiter, isDevelopment }) => {
      const open = options.auth ?? (await loadAuthProvider<Engine>(directory))
      const isStrict = isDevelopment === undefined ? isProductionMode() : !isDevelopment
      const given = { serviceDatabases, directory, limiter, audit, isProduction: isStrict }
      return open({ engine, ...given, log, clock })
    },
    audit,
    factory: options.pgWire,
    directory,
    log,
    clock,
  })
  // Not spread: the properties of the moment are getters.
  const engine: Engine = Object.assign(
    ofCurrent(generations),
    ofEveryConfiguration(generations, pgWire, openSession),
  )
  return engine
}

type OfEveryConfiguration = Pick<Engine, Exclude<keyof Engine, keyof ConfiguredEngine>>

/** The functions that are the same with every configuration. */
function ofEveryConfiguration(
  generations: Generations,
  pgWire: PgWireStarter,
  openSession: Engine['openSession'],
): OfEveryConfiguration {
  const all: OfEveryConfiguration = {
    openSession,
    startPgWire: (given = {}) => pgWire.start(given),
    pgWireLoad: () => pgWire.current()?.load(),
    pgWireSessions: () => pgWire.current()?.sessions() ?? [],
    signalPgWire: (signal) => pgWire.current()?.signal(signal) ?? false,
    reconfigure: (input, { prepare, ...given } = {}) =>
      generations.reconfigure(input, {
        ...given,
        prepare: async (next) => {
          const apply = await prepare?.(viewOf(next))
          return () => {
            replaceCertificate(generations.current, next, pgWire)
            apply?.()
          }
        },
      }),
    evaluate: (input, work) => generations.evaluate(input, work),
    current: () => viewOf(generations.current),
    close: async () => {
      await generations.freeze()
      await pgWire.close()
      await generations.close()
    },
  }
  const viewOf = ({ engine, uses }: Generation): EngineGeneration => ({
    engine: { ...engine, ...all },
    uses,
  })
  return all
}

/** The functions of the configuration in use; each call ends under the configuration under which it began. */
function ofCurrent(generations: Generations): ConfiguredEngine {
  const own = () => generations.current.engine
  return {
    get settings() {
      return own().settings
    },
    get isOpen() {
      return own().isOpen
    },
    query: (request, caller) => generations.during((engine) => engine.query(request, caller)),
    batch: (request, caller) => generations.during((engine) => engine.batch(request, caller)),
    callAction: (request, caller) =>
      generations.during((engine) => engine.callAction(request, caller)),
    database: ({ signal, caller = admin, origin } = {}) =>
      createEngineDatabase({ use: () => generations.use(), caller, origin, signal }),
    explain: (request, caller, given) =>
      generations.during((engine) => engine.explain(request, caller, given)),
    simulate: (step, given) => generations.during((engine) => engine.simulate(step, given)),
    simulateAll: (steps, given) => generations.during((engine) => engine.simulateAll(steps, given)),
    describe: () => generations.during((engine) => engine.describe()),
    refreshCatalog: () => generations.during((engine) => engine.refreshCatalog()),
    health: (signal) => generations.during((engine) => engine.health(signal)),
    permissionMatrix: () => own().permissionMatrix(),
    catalog: () => own().catalog(),
    pools: () => own().pools(),
    load: () => own().load(),
    cachedPlans: () => own().cachedPlans(),
  }
}

/** The server of the wire protocol goes on with the new certificate. */
function replaceCertificate(
  { settings: before }: Generation,
  { settings: next }: Generation,
  pgWire: PgWireStarter,
): void {
  const tls = next.pgWire?.tls
  if (tls === undefined || before.pgWire?.tls === undefined) return
  if (tls.key === before.pgWire.tls.key && tls.cert === before.pgWire.tls.cert) return
  pgWire.current()?.replaceCertificate(tls)
}
