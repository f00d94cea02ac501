/** @module The engine: data sources, permissions and caches around the pipeline. Start at `createEngine`. */

import type { Catalog } from '../compiler/catalog/catalog.ts'
import { knownTraits } from '../compiler/catalog/database-traits.ts'
import { loadParser } from '../compiler/sql/parser-module.ts'
import type { Config } from '../config/config.ts'
import { configurationWarnings } from '../config/configuration-warnings.ts'
import { fixedOptionFaults } from '../config/fixed-options.ts'
import { requireClosed } from '../config/open-mode.ts'
import { invalidConfiguration, parseConfig } from '../config/parse-config.ts'
import type { Settings } from '../config/settings.ts'
import type { Audit } from '../foundation/audit-event.ts'
import { admin } from '../foundation/caller.ts'
import { GatewayError } from '../foundation/errors.ts'
import type { Fault } from '../foundation/faults.ts'
import { finishing } from '../foundation/finishing.ts'
import { isProductionMode } from '../foundation/is-production.ts'
import { type Log, silentLog } from '../foundation/log.ts'
import { reasonOf } from '../foundation/reason-of.ts'
import { withTimeout } from '../foundation/with-timeout.ts'
import type { ClientSession } from '../runtime/client-session/client-session.ts'
import { createClientSession } from '../runtime/client-session/create-client-session.ts'
import { createVisibleCatalogs } from '../runtime/client-session/describe-visible.ts'
import { createSessionPlans } from '../runtime/client-session/session-plans.ts'
import { createEngineDatabase } from '../runtime/engine-database/engine-database.ts'
import { createConcurrency } from '../runtime/limits/concurrency.ts'
import { openTransactionsOf } from '../runtime/limits/open-transactions.ts'
import { concurrencyLimits } from '../runtime/limits/with-slot.ts'
import { adapterFactories } from './adapter-factories.ts'
import type {
  ConfiguredEngine,
  DraftEngine,
  Engine,
  EngineGeneration,
  EngineOptions,
  ReconfigureOptions,
} from './engine-interface.ts'
import {
  type Candidate,
  createCandidate,
  createGeneration,
  type Generation,
  hasSameRights,
} from './generation.ts'
import { loadAuthProvider } from './load-adapter.ts'
import { createSourcePool, type OpenSources } from './open-sources.ts'
import type { OpenSessionOptions } from './pg-wire-server.ts'
import { createPgWireStarter } from './start-pg-wire.ts'

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
  const { log = silentLog, clock = Date.now, observe, adapters = {}, loadAdapter } = options
  const { directory = process.cwd(), isProduction = isProductionMode() } = options
  const { upToDate } = options
  if (settings.mode === 'interactive' && upToDate === undefined) {
    const message = 'is served by createGateway and engine-server: the configuration is stored'
    throw invalidConfiguration([{ path: 'mode', message: `"interactive" ${message}` }])
  }
  requireClosed(settings, isProduction)
  /** Those whose snapshots depend on the data sources. */
  const live = new Set<Candidate>()
  const pool = createSourcePool({
    log,
    observe,
    onChange: () => {
      for (const { snapshots } of live) snapshots.invalidate()
    },
  })
  // Before the parser is loaded: a process that ends while V8 still compiles it may hang (nodejs/node#54918).
  const factories = await adapterFactories(settings, { adapters, loadAdapter, directory })
  await loadParser()
  const concurrency = createConcurrency(concurrencyLimits(settings))

  const end = (ended: Candidate) => {
    live.delete(ended)
    ended.sources.release()
  }
  const candidateOf = (of: Settings, sources: OpenSources, before?: Candidate): Candidate => {
    const made = createCandidate(of, sources, log, before)
    live.add(made)
    return made
  }
  const generationOf = (
    candidate: Candidate,
    audit: Audit | undefined,
    rightsVersion: number,
  ): Generation => {
    const shared = { clock, log, audit, observe, concurrency, openTransactions }
    return createGeneration(candidate, shared, rightsVersion, () => end(candidate))
  }

  const first = candidateOf(settings, pool.open(settings.connections, factories))
  try {
    await start(first.sources)
    first.snapshots.verify()
    warnOfConfiguration(first, log)
  } catch (error) {
    await pool.close()
    throw error
  }
  const openTransactions = openTransactionsOf(settings, traitsIn(first))
  let generation = generationOf(first, options.audit, 1)
  let isClosed = false

  /** The same with every configuration. */
  const plans = createSessionPlans()
  const visible = createVisibleCatalogs()
  const environment = () => generation.environment
  const openSession = (session: OpenSessionOptions): ClientSession =>
    createClientSession({ ...session, environment, plans, visible, upToDate })
  const pgWire = createPgWireStarter({
    settings: () => generation.settings,
    openSession,
    openProvider: async ({ limiter, isDevelopment }) => {
      const open = options.auth ?? (await loadAuthProvider<Engine>(directory))
      const { serviceDatabases, audit } = options
      const isStrict = isDevelopment === undefined ? isProductionMode() : !isDevelopment
      const facts = { engine, serviceDatabases, directory, limiter, audit, isProduction: isStrict }
      return open({ ...facts, log, clock })
    },
    audit: options.audit,
    factory: options.pgWire,
    directory,
    log,
    clock,
  })

  /** Opens what is new, and checks it. @throws {GatewayError} `invalidConfiguration`: then nothing is open. */
  const openNext = async (
    next: Settings,
    reach: (sources: OpenSources) => Promise<void>,
  ): Promise<Candidate> => {
    const found = await adapterFactories(next, { adapters, loadAdapter, directory })
    const sources = pool.open(next.connections, found, generation.sources)
    const candidate = candidateOf(next, sources, generation)
    try {
      await reach(sources)
      candidate.snapshots.verify()
      return candidate
    } catch (error) {
      end(candidate)
      throw error
    }
  }

  const reconfigure = async (
    input: Config,
    { audit = options.audit, mayBeUnreachable = false, prepare }: ReconfigureOptions,
  ): Promise<void> => {
    if (isClosed) throw new GatewayError('unavailable', 'The engine is closed.')
    const next = parseConfig(input, options.adapters)
    const faults = fixedOptionFaults(generation.settings, next)
    if (faults.length > 0) throw invalidConfiguration(faults)
    requireClosed(next, isProduction)
    const before = generation
    const candidate = await openNext(next, mayBeUnreachable ? startWithin : reachAll)
    try {
      const { rightsVersion } = before.environment
      const version = hasSameRights(before, candidate) ? rightsVersion : rightsVersion + 1
      const after = generationOf(candidate, audit === 'off' ? undefined : audit, version)
      const apply = await prepare?.(viewOf(after))
      replaceCertificate(before.settings, next)
      apply?.()
      generation = after
    } catch (error) {
      end(candidate)
      throw error
    }
    concurrency.change(concurrencyLimits(next))
    openTransactions.change(next, traitsIn(candidate))
    before.retire()
    warnOfConfiguration(candidate, log)
  }
  const evaluate = async <T>(
    input: Config,
    work: (draft: DraftEngine) => Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw new GatewayError('unavailable', 'The engine is closed.')
    const next = parseConfig(input, options.adapters)
    const faults = fixedOptionFaults(generation.settings, next)
    if (faults.length > 0) throw invalidConfiguration(faults)
    requireClosed(next, isProduction)
    const candidate = await openNext(next, requireNoneOpened)
    const draft = generationOf(candidate, undefined, generation.environment.rightsVersion)
    try {
      return await work(draft.engine)
    } finally {
      draft.retire()
    }
  }
  const replaceCertificate = ({ pgWire: before }: Settings, { pgWire: next }: Settings) => {
    const tls = next?.tls
    if (tls === undefined || before?.tls === undefined) return
    if (tls.key === before.tls.key && tls.cert === before.tls.cert) return
    pgWire.current()?.replaceCertificate(tls)
  }

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const during = <T>(work: (engine: ConfiguredEngine) => Promise<T>): Promise<T> => {
    const { engine: own, uses } = generation
    uses.begin()
    return finishing(() => work(own), uses.end)
  }
  const use = () => {
    const { statements, uses } = generation
    uses.begin()
    return { statements, end: uses.end }
  }
  const ofEveryConfiguration = {
    openSession,
    startPgWire: (given = {}) => pgWire.start(given),
    pgWireLoad: () => pgWire.current()?.load(),
    pgWireSessions: () => pgWire.current()?.sessions() ?? [],
    signalPgWire: (signal) => pgWire.current()?.signal(signal) ?? false,
    reconfigure: (input, given = {}) => inTurn(() => reconfigure(input, given)),
    evaluate,
    current: () => viewOf(generation),
    close: async () => {
      await inTurn(async () => {
        isClosed = true
      })
      await pgWire.close()
      await pool.close()
    },
  } satisfies Pick<Engine, Exclude<keyof Engine, keyof ConfiguredEngine>>
  const viewOf = (of: Generation): EngineGeneration => ({
    engine: { ...of.engine, ...ofEveryConfiguration },
    uses: of.uses,
  })
  const engine: Engine = {
    get settings() {
      return generation.settings
    },
    get isOpen() {
      return generation.engine.isOpen
    },
    query: (request, caller) => during((own) => own.query(request, caller)),
    batch: (request, caller) => during((own) => own.batch(request, caller)),
    callAction: (request, caller) => during((own) => own.callAction(request, caller)),
    database: ({ signal, caller = admin, origin } = {}) =>
      createEngineDatabase({ use, caller, origin, signal }),
    explain: (request, caller, given) => during((own) => own.explain(request, caller, given)),
    simulate: (step, given) => during((own) => own.simulate(step, given)),
    simulateAll: (steps, given) => during((own) => own.simulateAll(steps, given)),
    describe: () => during((own) => own.describe()),
    refreshCatalog: () => during((own) => own.refreshCatalog()),
    health: (signal) => during((own) => own.health(signal)),
    permissionMatrix: () => generation.engine.permissionMatrix(),
    catalog: () => generation.engine.catalog(),
    pools: () => generation.engine.pools(),
    load: () => generation.engine.load(),
    cachedPlans: () => generation.engine.cachedPlans(),
    ...ofEveryConfiguration,
  }
  return engine
}

/** Whether transactions of a connection block each other. */
function traitsIn({ sources }: Candidate) {
  return (name: string) => knownTraits(sources.all.get(name)?.guarded.traits)
}

function warnOfConfiguration({ settings, snapshots }: Candidate, log: Log): void {
  const { connections }: Catalog = snapshots.current().catalog
  const primaryKeyOf = (connection: string, table: string): string | undefined => {
    const { primaryKey = [], columns = [] } = connections.get(connection)?.tables.get(table) ?? {}
    const [ordinal, ...others] = primaryKey
    return ordinal === undefined || others.length > 0 ? undefined : columns[ordinal]?.name
  }
  for (const { path, message } of configurationWarnings(settings, primaryKeyOf)) {
    log.warn({ path }, message)
  }
}

/** One attempt at each database, all in parallel; failed ones are repeated in the background. */
async function start({ opened }: Pick<OpenSources, 'opened'>): Promise<void> {
  await Promise.all(
    opened.map(async (source) => {
      if (!(await source.tryToReach())) source.keepTrying()
    }),
  )
}

/** The same, while requests wait: the first attempt goes on in the background after this number of milliseconds. */
const patienceMs = 2_000

async function startWithin({ opened }: OpenSources): Promise<void> {
  await Promise.all(
    opened.map(async (source) => {
      const attempt = start({ opened: [source] })
      await withTimeout(patienceMs, attempt).catch(() => undefined)
    }),
  )
}

/** @throws {GatewayError} `invalidConfiguration` that names new and changed connections. */
async function requireNoneOpened({ opened }: OpenSources): Promise<void> {
  const message = 'is new or changed: only open databases can be used here'
  const faults = opened.map(({ name }): Fault => ({ path: `connections.${name}`, message }))
  if (faults.length > 0) throw invalidConfiguration(faults)
}

/** @throws {GatewayError} `invalidConfiguration` that names the new databases that cannot be reached. */
async function reachAll({ opened }: OpenSources): Promise<void> {
  const faults = await Promise.all(
    opened.map(({ name, refresh }) =>
      refresh().then(
        () => [],
        (error: unknown): readonly Fault[] => [
          { path: `connections.${name}`, message: `cannot be reached: ${reasonOf(error)}` },
        ],
      ),
    ),
  )
  if (faults.some((own) => own.length > 0)) throw invalidConfiguration(faults.flat())
}
