/** @module What an engine does, for applications and servers; `createEngine` makes one. */

import type { PermissionMatrix, StatementExplanation } from '@engine/contract/admin-api'
import type { Catalog } from '../compiler/catalog/catalog.ts'
import type { Config } from '../config/options/config.ts'
import type { Settings } from '../config/settings/settings.ts'
import type { Audit, RequestOrigin } from '../foundation/audit-event.ts'
import type { Caller } from '../foundation/caller.ts'
import type { Log } from '../foundation/log.ts'
import type { Adapters, PoolState } from '../runtime/adapter/adapter.ts'
import type { ClientSession } from '../runtime/client-session/client-session.ts'
import type { EngineDatabase } from '../runtime/engine-database/engine-database.ts'
import type { ExplainOptions, ExplainRequest } from '../runtime/explain/explain.ts'
import type { SimulateOptions, Simulation, SimulationStep } from '../runtime/explain/simulate.ts'
import type { Load } from '../runtime/limits/concurrency.ts'
import type { Observe } from '../runtime/observe/observe.ts'
import type { Uses } from '../runtime/query/query-environment.ts'
import type { BatchRequest } from '../runtime/query/run-batch.ts'
import type { QueryAnswer, QueryRequest } from '../runtime/query/run-query.ts'
import type { SchemaDescription } from '../runtime/schema/describe-schema.ts'
import type { CatalogReading } from '../runtime/schema/refresh-catalog.ts'
import type { ActionRequest } from '../service/actions/call-action.ts'
import type { ServiceDatabaseFactory } from '../service/store/service-database.ts'
import type { LoadAdapter } from './adapter-factories.ts'
import type { AuthProviderFactory } from './open-auth-provider.ts'
import type {
  OpenSessionOptions,
  PgWireLoad,
  PgWireServer,
  PgWireServerFactory,
  PgWireSession,
  PgWireSignal,
} from './pg-wire-server.ts'
import type { StartPgWireOptions } from './start-pg-wire.ts'

/** Answers statements. Any number of calls may run at a time. */
export interface Engine extends ConfiguredEngine {
  /**
   * Replaces the configuration while statements run. What has begun ends under the old one: a statement, a batch, an action, a
   * transaction. What begins later runs under the new one. Databases whose settings are the same stay open. Calls run one after the
   * other.
   *
   * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault: those of `createEngine`, databases of new
   *   and changed connections that cannot be reached, and options that need a restart. Then nothing has changed.
   */
  reconfigure(config: Config, options?: ReconfigureOptions): Promise<void>
  /**
   * Runs `work` under a configuration that is never served: what would a permission change? It uses databases that are open, and
   * opens none.
   *
   * @throws {GatewayError} `invalidConfiguration` as `reconfigure`, and for new or changed connections.
   */
  evaluate<T>(config: Config, work: (draft: DraftEngine) => Promise<T>): Promise<T>
  /** The engine as it is configured now. It stays so over `reconfigure`. */
  current(): EngineGeneration
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
  /** The sessions of that server. */
  pgWireSessions(): readonly PgWireSession[]
  /** Stops a session of that server, or its statement. @returns whether it has the session. */
  signalPgWire(signal: PgWireSignal): boolean
  /** Lets running statements finish and closes every connection. */
  close(): Promise<void>
}

/** The functions of an engine that leave no trace in any database. */
export type DraftEngine = Pick<
  ConfiguredEngine,
  'isOpen' | 'explain' | 'simulate' | 'simulateAll' | 'permissionMatrix' | 'catalog'
>

/** An engine under one configuration, for servers that keep parts of their own for each. */
export interface EngineGeneration {
  readonly engine: Engine
  /** To be counted around every use: the databases of an old configuration are closed after the last one. */
  readonly uses: Uses
}

/** Options of `Engine.reconfigure`, for servers. */
export interface ReconfigureOptions {
  /** Records statements under the new configuration; `off`: none does. By default as `EngineOptions.audit`. */
  readonly audit?: Audit | 'off'
  /** New databases that cannot be reached do not refuse the configuration: they are tried again, as at the start. Default false. */
  readonly mayBeUnreachable?: boolean | undefined
  /**
   * Called with the new configuration before it applies, to make the parts that depend on it. Returns a function that is called at
   * the moment when it applies. When it throws, nothing has changed.
   */
  readonly prepare?: (next: EngineGeneration) => Promise<() => void> | (() => void)
}

/** The functions of an engine under one configuration. */
export interface ConfiguredEngine {
  /** Of the moment: `reconfigure` replaces them. */
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
}

/** Options of `Engine.database`. */
export interface DatabaseOptions {
  /** Stops the running statement, and rolls back. */
  readonly signal?: AbortSignal | undefined
  /** The caller that the audit records for its statements; by default the administrator, without an origin `system`. */
  readonly caller?: Caller
  readonly origin?: RequestOrigin | undefined
}

/** Options of an engine besides its configuration. */
export interface EngineOptions {
  /** Adapters by package name, instead of looking for installed packages. */
  readonly adapters?: Adapters
  /** Loads other adapters by package name, before installed packages are looked for; undefined: it does not have that one. */
  readonly loadAdapter?: LoadAdapter
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
  /**
   * For servers with `mode: "interactive"`: called before each statement of a client session that is in no transaction. The
   * statement waits until it resolves, and fails when it fails; undefined: it need not wait.
   */
  readonly upToDate?: () => Promise<void> | undefined
  /** Is called with every stage of every statement. */
  readonly observe?: Observe | undefined
  /** Refuses open mode unless the configuration has `open`; default: the value of `NODE_ENV`. */
  readonly isProduction?: boolean
}
