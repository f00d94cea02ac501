/**
 * @module The contract of a database: what an adapter package implements. The engine decides about rights; an adapter enforces
 * the decisions in the statement: see docs/writing-an-adapter.md, "What an adapter enforces".
 */

import type { DatabaseKind } from '@engine/contract'
import type { DatabaseTraits, IsolationLevel } from '../../compiler/catalog/database-traits.ts'
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { ZoneRules } from '../../compiler/sql-types/time-zone/zone-rules.ts'
import type { SqlValue } from '../../compiler/sql-types/value-source.ts'
import type { WithAdapterOptions } from '../../config/options/adapter-options.ts'
import type { Log } from '../../foundation/log.ts'
import type { Steps } from '../../foundation/steps.ts'

export type { DatabaseTraits, IsolationLevel }

/**
 * Lowers and prints: pure, synchronous, no I/O.
 *
 * @throws {GatewayError} `unsupported` (400) naming the construct, the kind of connection and the position,
 *   when this database has no faithful form.
 */
export interface Compile {
  (statement: AuthorizedStatement): CompiledStatement
  /**
   * The same in steps, so that the process handles other requests while a long statement is compiled. Absent: it is one step. It
   * belongs to the function, so that replacing the function replaces both. See `compileOf`.
   */
  readonly inSteps?: ((statement: AuthorizedStatement) => Steps<CompiledStatement>) | undefined
}

/** One connection's dialect and I/O. */
export interface Adapter {
  /** Its name for clients, in `GET /schema`. The engine makes no decision by it. */
  readonly kind: DatabaseKind
  /** How its database behaves. Absent: the engine assumes the most careful value of each trait. */
  readonly traits?: DatabaseTraits
  /**
   * Reads the database's tables and types. The engine retries it while the database cannot be reached.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached.
   */
  introspect(signal: AbortSignal): Promise<Introspection>
  /**
   * Reads `Introspection.schemaVersion` as it is now, at a fraction of the cost of `introspect`. The engine asks for it every few
   * seconds, and when a statement fails in a way that a change of the schema explains. Absent: it calls `introspect` instead.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached.
   */
  schemaVersion?(signal: AbortSignal): Promise<string>
  readonly compile: Compile
  /** Runs one compiled statement, in a transaction of its own when `statement.needsTransaction`. */
  execute(execution: Execution): Promise<ResultSet>
  /**
   * Runs `body` on one connection in one transaction: commits when it resolves, rolls back when it rejects.
   * Sessions are not shared: one statement at a time.
   */
  transaction<T>(options: TransactionOptions, body: (session: Session) => Promise<T>): Promise<T>
  /**
   * Returns the database's own plan of each step, line by line, without running any. Absent where the database has no plans.
   * A plan may depend on rows that the caller cannot see.
   *
   * @param run runs the queries for the plan, in the transaction of the statement. Absent: `Adapter.execute`.
   */
  planLines?(
    execution: Execution,
    options?: PlanLineOptions,
    run?: (execution: Execution) => Promise<ResultSet>,
  ): Promise<readonly (readonly string[])[]>
  /**
   * A statement that runs `statement` and returns the database's plan of it with what it measured, line by line. Pure. Absent where
   * the database measures nothing.
   *
   * @throws {GatewayError} `unsupported` for a statement of several steps.
   */
  analyze?(statement: CompiledStatement, options: PlanLineOptions): CompiledStatement
  /**
   * Channels on which the database announces events, for LISTEN on the wire protocol. Absent where it has none. The sending side is
   * `Session.notify`.
   */
  readonly channels?: AdapterChannels
  /**
   * The rules of a time zone as the database has them, by IANA name. The wire protocol reads and shows timestamps by them. Absent where
   * the database computes in UTC.
   *
   * @throws {GatewayError} when the database cannot be reached, or does not know the zone.
   */
  zoneRules?(zone: string, signal: AbortSignal): Promise<ZoneRules>
  /** Counts its busy and idle connections or threads. Absent where their number is not fixed. */
  poolState?(): PoolState
  /**
   * Would `introspect`, `schemaVersion` or `zoneRules`, called now, have a connection or thread without waiting for work to end? A caller
   * in a transaction must not wait: it may hold the one that it waits for. Absent: they never wait.
   */
  hasRoom?(): boolean
  /** Resolves when the database answers. */
  ping(signal: AbortSignal): Promise<void>
  /** Lets running work finish, then closes every connection. */
  close(): Promise<void>
}

/**
 * Receives a notification.
 *
 * @param sender what `Session.notify` of the sender has returned: two are compared, and clients are never told
 */
export type OnNotification = (payload: string, sender: number) => void

/** Notifications between the nodes that share a database. */
export interface AdapterChannels {
  /**
   * Resolves when every notification that is sent from now on will arrive. After the connection was lost, the adapter listens again by
   * itself; what is sent in between does not arrive.
   *
   * @param channel any name of 1 to 63 bytes without NUL, not quoted
   * @returns stops listening.
   * @throws {GatewayError} `unavailable` when the database cannot be reached.
   */
  listen(channel: string, onNotification: OnNotification): Promise<() => void>
}

/** Connections or threads of one database, counted. */
export interface PoolState {
  readonly busy: number
  readonly idle: number
  /** Requests that wait for one. */
  readonly waiting: number
  /** Those of the busy ones that were given up, while their work goes on in the database; 0 where that is not known. */
  readonly givenUp?: number
}

/** Options of a transaction. */
export interface TransactionOptions {
  /** For every statement in it, in milliseconds. */
  readonly timeoutMs: number
  readonly readOnly: boolean
  readonly signal: AbortSignal | undefined
  /**
   * Statements in it may read the numbers that it drew from sequences itself (`currval`): the connection has to forget those that
   * other transactions drew on it. Without it such statements are refused.
   */
  readonly ownNumbers?: boolean | undefined
  /**
   * The least strict level allowed; undefined = the database's default.
   *
   * @throws {GatewayError} `unsupported` from `transaction` where the database cannot guarantee it.
   */
  readonly isolation?: IsolationLevel | undefined
}

/** One connection inside a transaction. */
export interface Session {
  execute(execution: Execution): Promise<ResultSet>
  /**
   * Sets a savepoint. The engine makes the names: `engine_1`, `engine_2` ... Absent where the database has no
   * savepoints.
   */
  savepoint?(name: string): Promise<void>
  /** Undoes everything since the savepoint, and keeps the savepoint. The transaction can continue after a failed statement. */
  rollBackTo?(name: string): Promise<void>
  /** Releases the savepoint and those after it. */
  releaseSavepoint?(name: string): Promise<void>
  /**
   * Opens a query whose rows are fetched in pieces; other statements may run in between. Absent where the database returns
   * all rows at once. Not for statements that need several steps.
   */
  open?(execution: Execution): Promise<Cursor>
  /**
   * Makes the database check deferred constraints now instead of at COMMIT. Absent where it has none.
   *
   * @throws {GatewayError} the error that COMMIT would report.
   */
  checkDeferred?(): Promise<void>
  /**
   * Sends a notification when the transaction commits. Both texts are values, never SQL. Absent where the database has no channels:
   * see `Adapter.channels`.
   *
   * @returns the sender that arrives with the notification: the session of the database
   */
  notify?(channel: string, payload: string): Promise<number>
}

/** A query that is read in pieces; it ends with its transaction at the latest. */
export interface Cursor {
  /** The next rows, at most `count`; fewer only at the end. */
  fetch(count: number): Promise<readonly Cells[]>
  close(): Promise<void>
}

/** A row in PostgreSQL's text format, column by column; null is SQL's NULL. */
export type Cells = readonly (string | null)[]

/** Receives rows one by one, while the query runs. */
export interface RowReceiver {
  row(cells: Cells): void
  /** Back-pressure: a promise while the receiver is full; resolves when it accepts rows again. Adapters call it between rows. */
  hold(): Promise<void> | undefined
}

/** A compiled statement with the values of one request. */
export interface Execution {
  readonly statement: CompiledStatement
  /** `values[s][i]` for `statement.steps[s].parameters[i]`; null where the source is `step`: the adapter fills it in. */
  readonly values: readonly (readonly SqlValue[])[]
  /**
   * - `object`: each row a JSON object by column name (later duplicates win), as method `execute` wants it.
   * - `cells`: each row a JSON array of `Cells`: strings in PostgreSQL's text format, and null for SQL's NULL.
   */
  readonly rowShape: RowShape
  /** Only with `cells`. An adapter that can stream passes each row to it, and leaves `ResultSet.rows` empty. */
  readonly receiver?: RowReceiver | undefined
  /** The most rows returned; when there are more, `truncated` is set. */
  readonly maxRows: number
  /** The adapter stops the statement on the server after this number of milliseconds (`queryTimeout`, 408). */
  readonly timeoutMs: number
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined
}

/** The form of a row: a JSON array, a JSON object, or a list of texts in PostgreSQL's format. */
export type RowShape = 'array' | 'object' | 'cells'

/** The result of a statement; its values already have the JSON forms of the wire. */
export interface ResultSet {
  /** The rows as JSON text, comma separated, without the outer brackets: `[1,"a"],[2,null]`; empty when none. */
  readonly rows: string | Uint8Array
  /** Rows in `rows`; for writes without RETURNING the affected rows. */
  readonly rowCount: number
  /** There were more than `maxRows` rows. */
  readonly truncated: boolean
}

/** Options of one connection: an entry of `connections`, checked. */
export interface ConnectionOptions {
  /** The connection's name, for messages and logs. */
  readonly name: string
  /** The URL or path as configured. Never log it: it may contain a password. */
  readonly url: string
  readonly pool: { readonly max: number | undefined }
  readonly readOnly: boolean
  /** Database schema whose tables are shown; undefined = the database's usual one (`public` on PostgreSQL). */
  readonly schema: string | undefined
  /** Several schemas instead of one: see `Connection.schemas`. Only where the database has schemas. */
  readonly schemas?: readonly string[] | undefined
  readonly tables: {
    readonly include: readonly string[] | undefined
    readonly exclude: readonly string[]
  }
  /** `declared`: types come from declarations alone. `inferred`: stored values may refine a type. */
  readonly types: 'declared' | 'inferred'
  /** Configured column types, by table and column, with PostgreSQL's names. */
  readonly columnTypes: ConfiguredTypes
  /** What belongs to this adapter alone, as written: it fits `AdapterFactory.options`. See `withOptions`. */
  readonly adapterOptions: Readonly<Record<string, unknown>>
  readonly log: Log
}

/** `{ orders: { total: 'bigint' } }` */
export type ConfiguredTypes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** An adapter package as it is registered: `EngineOptions.adapters`. */
export interface AdapterPackage {
  /** Its `Adapter.kind`. */
  readonly name: DatabaseKind
  /** URL schemes of this adapter, without the colon: `['duckdb']`. They take precedence over the built-in ones. */
  readonly schemes: readonly string[]
  readonly connect: AdapterFactory
}

/** By package name. A factory alone is a package whose URL schemes are built in. */
export type Adapters = Readonly<Record<string, AdapterFactory | AdapterPackage>>

/**
 * Exported as `connect` by every adapter package. Opens lazily: it does no I/O before the first call. Its `options` check what a
 * connection has for this adapter alone; without them, only the options of every connection are allowed.
 */
export interface AdapterFactory extends WithAdapterOptions {
  (connection: ConnectionOptions): Adapter
}
