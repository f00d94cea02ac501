/** @module The engine: data sources, permissions and caches around the pipeline. Start at `createEngine`. */

import type { Catalog } from '../compiler/catalog/catalog.ts'
import { knownTraits } from '../compiler/catalog/database-traits.ts'
import {
  withoutReportedFacts,
  withReportedFacts,
} from '../compiler/permissions/access/reported-facts.ts'
import { loadParser } from '../compiler/sql/parser-module.ts'
import { maySleep } from '../compiler/sql/sleep-call.ts'
import type { Config } from '../config/config.ts'
import { configurationWarnings } from '../config/configuration-warnings.ts'
import { requireClosed } from '../config/open-mode.ts'
import { parseConfig } from '../config/parse-config.ts'
import type { ConnectionSettings, Settings } from '../config/settings.ts'
import type { Audit, RequestOrigin } from '../foundation/audit-event.ts'
import { admin, type Caller } from '../foundation/caller.ts'
import { GatewayError } from '../foundation/errors.ts'
import { isProductionMode } from '../foundation/is-production.ts'
import { type Log, silentLog } from '../foundation/log.ts'
import type {
  AdapterFactory,
  AdapterPackage,
  Adapters,
  ConnectionOptions,
  PoolState,
} from '../runtime/adapter/adapter.ts'
import type { ClientSession } from '../runtime/client-session/client-session.ts'
import { createClientSession } from '../runtime/client-session/create-client-session.ts'
import { createVisibleCatalogs } from '../runtime/client-session/describe-visible.ts'
import { createSessionPlans } from '../runtime/client-session/session-plans.ts'
import { createDataSource, type DataSource } from '../runtime/databases/data-source.ts'
import { createSnapshots } from '../runtime/databases/snapshot.ts'
import {
  createEngineDatabase,
  type EngineDatabase,
} from '../runtime/engine-database/engine-database.ts'
import { createSystemStatements } from '../runtime/engine-database/system-statements.ts'
import {
  type ExplainOptions,
  type ExplainRequest,
  explainStatement,
} from '../runtime/explain/explain.ts'
import type { StatementExplanation } from '../runtime/explain/explanation.ts'
import { type PermissionMatrix, permissionMatrix } from '../runtime/explain/permission-matrix.ts'
import {
  type SimulateOptions,
  type Simulation,
  type SimulationStep,
  simulateStep,
  simulateSteps,
} from '../runtime/explain/simulate.ts'
import type { Load } from '../runtime/limits/concurrency.ts'
import { openTransactionsOf } from '../runtime/limits/open-transactions.ts'
import { concurrencyKey, concurrencyOf, withSlot } from '../runtime/limits/with-slot.ts'
import type { Observe } from '../runtime/observe/observe.ts'
import {
  auditedBatch,
  auditedQuery,
  type RunStatement,
} from '../runtime/query/audited-statements.ts'
import type { QueryEnvironment } from '../runtime/query/query-environment.ts'
import { type BatchRequest, runBatch } from '../runtime/query/run-batch.ts'

import { explainOf, isUnrestricted, runExplain } from '../runtime/query/run-explain.ts'
import { type QueryAnswer, type QueryRequest, runQuery } from '../runtime/query/run-query.ts'
import { runSleep } from '../runtime/query/run-sleep.ts'

import { createSchemaSource, type SchemaDescription } from '../runtime/schema/describe-schema.ts'
import {
  type CatalogReading,
  createSessionReading,
  readCatalogs,
  refreshCatalogs,
} from '../runtime/schema/refresh-catalog.ts'
import { type ActionRequest, callAction } from '../service/actions/call-action.ts'
import type { ServiceDatabaseFactory } from '../service/store/service-database.ts'
import { loadAdapter, loadAuthProvider } from './load-adapter.ts'
import type { AuthProviderFactory } from './open-auth-provider.ts'
import type {
  OpenSessionOptions,
  PgWireLoad,
  PgWireServer,
  PgWireServerFactory,
} from './pg-wire-server.ts'
import { createPgWireStarter, type StartPgWireOptions } from './start-pg-wire.ts'

/** Answers statements under one configuration. Any number of calls may run at a time. */
export interface Engine {
  readonly settings: Settings
  /** True when neither authentication nor permissions are configured: every caller may do everything. */
  readonly isOpen: boolean
  /**
   * Runs one statement as `caller`.
   *
   * @throws {GatewayError} for every fault of the statement.
   */
  query(request: QueryRequest, caller: Caller): Promise<QueryAnswer>
  /** Runs several statements on one connection in one transaction: all of them or none. */
  batch(request: BatchRequest, caller: Caller): Promise<QueryAnswer>
  /**
   * Runs an action as `caller`.
   *
   * @returns its output as JSON; `{"ok":true}` where there is none.
   * @throws {GatewayError} `actionNotFound`, `permissionDenied`, `invalidInput`, `queryTimeout`; the action's own error, if that
   *   is a `GatewayError`; `internal` for every other error.
   */
  callAction(request: ActionRequest, caller: Caller): Promise<string>
  /** The user's databases with full rights, for the application's code. Call `end` when the work is done. */
  database(options?: DatabaseOptions): EngineDatabase
  /**
   * Explains the answer to a statement: the permissions on its tables, the visible part of each table, the SQL that would be sent
   * and the sources of its parameters. Runs nothing. For operators, never for the caller that it is about: it names columns of
   * hidden tables and the conditions of permissions.
   */
  explain(
    request: ExplainRequest,
    caller: Caller,
    options?: ExplainOptions,
  ): Promise<StatementExplanation>
  /**
   * Runs one statement as `step.caller` in a transaction that is rolled back, and returns the answer it would have given. Keys
   * that a database assigned meanwhile (sequences, AUTO_INCREMENT) are not assigned again. For operators: the result contains the
   * development message of every error.
   */
  simulate(step: SimulationStep, options?: SimulateOptions): Promise<Simulation>
  /**
   * Several statements in one such transaction: each sees the changes of those before it. Statements after a refused one do not
   * run.
   *
   * @returns one outcome for each step.
   */
  simulateAll(
    steps: readonly SimulationStep[],
    options?: SimulateOptions,
  ): Promise<readonly Simulation[]>
  /** The rights by role, table and operation. */
  readonly permissionMatrix: () => PermissionMatrix
  /** Connections, tables, relations and actions, in the form of `GET /schema`; no data. */
  describe(): Promise<SchemaDescription>
  /** The catalog of all databases that could be reached. */
  readonly catalog: () => Catalog
  /**
   * Reads the catalogs of all connections again, after a migration: the next statements are planned with them. A database that
   * cannot be reached does not keep the others from being read.
   *
   * @returns the outcome by connection.
   */
  refreshCatalog(): Promise<ReadonlyMap<string, CatalogReading>>
  /** Connections by name: can their database be reached right now? */
  health(signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>
  /** By connection name: the busy and idle connections or threads, where their number is fixed. */
  pools(): ReadonlyMap<string, PoolState>
  /** The number of running statements, batches and actions, and the number of waiting ones. */
  load(): Load
  /** The number of cached plans: a statement counts once for every set of roles that sent it. */
  cachedPlans(): number
  /** The session of a long-lived client: transactions over several statements, prepared statements, rows in pieces. */
  openSession(options: OpenSessionOptions): ClientSession
  /**
   * Starts the server of the PostgreSQL wire protocol that `pgWire` configures; one at a time. It ends with the engine. Without a
   * `provider`, `@engine/auth` opens the service database for accounts, tokens and API keys.
   *
   * @throws {GatewayError} `invalidConfiguration`: not configured, not installed, or already running. An `Error` with `code` when
   *   the port is not available.
   */
  startPgWire(options?: StartPgWireOptions): Promise<PgWireServer>
  /** The load of that server; undefined where none runs. */
  pgWireLoad(): PgWireLoad | undefined
  /** Lets running statements finish and closes every connection. */
  close(): Promise<void>
}

/** Options of `Engine.database`. */
export interface DatabaseOptions {
  /** Stops the running statement, and rolls back. */
  readonly signal?: AbortSignal | undefined
  /** The caller that the audit records for its statements; the administrator by default. */
  readonly caller?: Caller
  readonly origin?: RequestOrigin | undefined
}

/** Options of an engine besides its configuration. */
export interface EngineOptions {
  /** Adapters by package name, instead of looking for installed packages. */
  readonly adapters?: Adapters
  /** `createPgWireServer` of `@engine/pgwire`, instead of looking for the installed package. */
  readonly pgWire?: PgWireServerFactory
  /** `openAuthProvider` of `@engine/auth`, for `startPgWire`, instead of looking for the installed package. */
  readonly auth?: AuthProviderFactory<Engine>
  /** `serviceDatabase` of adapter packages by package name, for `startPgWire`, instead of looking for installed packages. */
  readonly serviceDatabases?: Readonly<Record<string, ServiceDatabaseFactory>>
  /** The directory to search for installed packages; the working directory by default. */
  readonly directory?: string
  readonly log?: Log
  /** Records statements and refusals; absent if that is not wanted. */
  readonly audit?: Audit | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Is called with every stage of every statement. */
  readonly observe?: Observe | undefined
  /** Refuses open mode unless the configuration has `open`; default: the value of `NODE_ENV`. */
  readonly isProduction?: boolean
}

/**
 * Checks the configuration, opens its connections and reads their catalogs. A database that cannot be reached does not keep the
 * others from starting: the attempts are repeated.
 *
 * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault.
 */
export async function createEngine(config: Config, options: EngineOptions = {}): Promise<Engine> {
  const settings = parseConfig(config, options.adapters)
  const { log = silentLog, clock = Date.now, audit, observe } = options
  requireClosed(settings, options.isProduction ?? isProductionMode())
  const sources = new Map<string, DataSource>()
  const snapshots = createSnapshots(settings, sources, log)
  // Before the parser is loaded: a process that ends while V8 still compiles it may hang (nodejs/node#54918).
  const factories = await adapterFactories(settings, options)
  await loadParser()
  const close = async () => {
    await Promise.all([...sources.values()].map((source) => source.close()))
  }
  try {
    for (const connection of settings.connections.values()) {
      const { name, adapterPackage } = connection
      const connect = factories.get(adapterPackage)
      if (connect === undefined) throw new Error(`no adapter was loaded for ${name}`)
      const adapter = connect(connectionOptions(connection, log))
      sources.set(
        name,
        createDataSource({
          name,
          adapter,
          log,
          observe,
          pollMs: connection.schemaPollingMs,
          onChange: snapshots.invalidate,
        }),
      )
    }
    await start(sources)
    snapshots.verify()
    warnOfConfiguration(settings, snapshots.current().catalog, log)
  } catch (error) {
    await close()
    throw error
  }
  const environment: QueryEnvironment = {
    settings,
    snapshots,
    sources,
    clock,
    log,
    audit,
    observe,
    concurrency: concurrencyOf(settings),
    openTransactions: openTransactionsOf(settings, (name) =>
      knownTraits(sources.get(name)?.guarded.traits),
    ),
  }
  const query: RunStatement<QueryRequest> = async (
    request,
    caller,
    touched = new Set<string>(),
  ) => {
    const slept = maySleep(request.sql) ? await runSleep(request, caller, environment) : undefined
    if (slept !== undefined) return slept
    const explained = isUnrestricted(caller, environment) ? explainOf(request.sql) : undefined
    return explained === undefined
      ? runQuery(request, caller, environment, touched)
      : runExplain(request, explained, caller, environment, touched)
  }
  const batch: RunStatement<BatchRequest> = (request, caller, touched) =>
    runBatch(request, caller, environment, touched)
  const statements = createSystemStatements(environment)
  const plans = createSessionPlans(environment)
  const visible = createVisibleCatalogs(snapshots)
  const readForSession = createSessionReading(sources.values(), log, clock)
  const openSession = (session: OpenSessionOptions): ClientSession =>
    createClientSession({ ...session, environment, plans, visible, refresh: readForSession })
  const withFactsFor = (caller: Caller, error: GatewayError): GatewayError => {
    const { catalog, rights } = snapshots.current()
    const connection = catalog.connections.get(error.reportedFacts?.connection ?? '')
    return connection === undefined
      ? withoutReportedFacts(error)
      : withReportedFacts(error, rights.rightsOf(caller).access(connection))
  }
  const { actions, limits } = settings
  const timeoutMs = limits.queryTimeoutMs
  const directory = options.directory ?? process.cwd()
  const pgWire = createPgWireStarter({
    settings,
    openSession,
    openProvider: async ({ limiter, isDevelopment }) => {
      const open = options.auth ?? (await loadAuthProvider<Engine>(directory))
      const { serviceDatabases } = options
      const isProduction = isDevelopment === undefined ? isProductionMode() : !isDevelopment
      const facts = { engine, serviceDatabases, directory, limiter, audit, isProduction }
      return open({ ...facts, log, clock })
    },
    audit,
    factory: options.pgWire,
    directory,
    log,
    clock,
  })
  const engine: Engine = {
    settings,
    isOpen: snapshots.isOpen,
    query: audit === undefined ? query : auditedQuery(query, audit),
    batch: audit === undefined ? batch : auditedBatch(batch, audit),
    callAction: (request, caller) => {
      const key = concurrencyKey(caller, request.origin?.ip)
      const place = { connection: undefined, caller: key }
      return withSlot(environment.concurrency, place, { timeoutMs, signal: request.signal }, () =>
        callAction(request, caller, { actions, statements, timeoutMs, log, audit, withFactsFor }),
      )
    },
    load: () => environment.concurrency.load(),
    cachedPlans: () => snapshots.current().plans.count(),
    openSession,
    database: ({ signal, caller = admin, origin } = {}) =>
      createEngineDatabase({ statements, caller, origin, signal }),
    explain: (request, caller, explainOptions = {}) =>
      explainStatement(request, caller, explainOptions, environment),
    simulate: (step, simulateOptions = {}) => simulateStep(step, simulateOptions, environment),
    simulateAll: (steps, simulateOptions = {}) =>
      simulateSteps(steps, simulateOptions, environment),
    permissionMatrix: () => permissionMatrix(settings, snapshots.current().catalog),
    describe: createSchemaSource({
      actions: settings.actions,
      readAgain: () => refreshCatalogs(sources.values(), log),
      catalog: () => snapshots.current().catalog,
      isKnown: (name) => sources.get(name)?.introspection() !== undefined,
      log,
    }),
    catalog: () => snapshots.current().catalog,
    refreshCatalog: () => readCatalogs(sources.values(), log),
    health: (signal) => health(sources, signal),
    pools: () =>
      new Map(
        [...sources].flatMap(([name, { adapter }]): [string, PoolState][] => {
          const state = adapter.poolState?.()
          return state === undefined ? [] : [[name, state]]
        }),
      ),
    startPgWire: (given = {}) => pgWire.start(given),
    pgWireLoad: () => pgWire.current()?.load(),
    close: async () => {
      await pgWire.close()
      await close()
    },
  }
  return engine
}

function warnOfConfiguration(settings: Settings, { connections }: Catalog, log: Log): void {
  const primaryKeyOf = (connection: string, table: string): string | undefined => {
    const { primaryKey = [], columns = [] } = connections.get(connection)?.tables.get(table) ?? {}
    const [ordinal, ...others] = primaryKey
    return ordinal === undefined || others.length > 0 ? undefined : columns[ordinal]?.name
  }
  for (const { path, message } of configurationWarnings(settings, primaryKeyOf)) {
    log.warn({ path }, message)
  }
}

/** By package name; all packages are loaded before any connection is opened. */
async function adapterFactories(
  { connections }: Settings,
  { adapters = {}, directory = process.cwd() }: EngineOptions,
): Promise<ReadonlyMap<string, AdapterFactory>> {
  const names = new Set([...connections.values()].map(({ adapterPackage }) => adapterPackage))
  const factories = new Map<string, AdapterFactory>()
  for (const name of names) {
    const given = adapters[name]
    const factory = typeof given === 'object' ? namedFactory(name, given) : given
    factories.set(name, factory ?? (await loadAdapter(name, directory)))
  }
  return factories
}

/** @returns the factory of a package, whose adapters have the name that it registers. */
function namedFactory(packageName: string, { name, connect }: AdapterPackage): AdapterFactory {
  return (options) => {
    const adapter = connect(options)
    const { kind } = adapter
    if (kind === name) return adapter
    throw new GatewayError(
      'invalidConfiguration',
      `${packageName} registers the name "${name}", but the kind of its adapter is "${kind}".`,
    )
  }
}

function connectionOptions(connection: ConnectionSettings, log: Log): ConnectionOptions {
  const { name, url, poolMax, readOnly, schema, schemas, include, exclude, create, csv } =
    connection
  const { types, columnTypes, synchronous } = connection
  return {
    name,
    url,
    pool: { max: poolMax },
    readOnly,
    schema,
    schemas,
    tables: { include, exclude },
    types,
    columnTypes,
    create,
    synchronous,
    csv,
    log,
  }
}

/** One attempt at each database, all in parallel; failed ones are repeated in the background. */
async function start(sources: ReadonlyMap<string, DataSource>): Promise<void> {
  await Promise.all(
    [...sources.values()].map(async (source) => {
      if (!(await source.tryToReach())) source.keepTrying()
    }),
  )
}

async function health(
  sources: ReadonlyMap<string, DataSource>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const entries = [...sources.values()].map(async (source): Promise<[string, boolean]> => {
    if (source.introspection() === undefined) return [source.name, false]
    return source.adapter.ping(signal).then(
      () => [source.name, true],
      () => [source.name, false],
    )
  })
  return new Map(await Promise.all(entries))
}
