/**
 * @module The contract of a database: what an adapter package implements. Who may see or do what is decided before; an
 * adapter decides nothing, and enforces what it is given: see docs/writing-an-adapter.md, "What an adapter enforces".
 */
import type { DatabaseKind } from '@engine/contract'
import type {
  DatabaseTraits,
  IsolationLevel,
  PlanFormat,
} from '../../compiler/catalog/database-traits.ts'
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { SqlValue } from '../../compiler/sql-types/value-source.ts'
import type { DirectorySettings } from '../../config/settings.ts'
import type { Log } from '../../foundation/log.ts'

export type { DatabaseTraits, IsolationLevel, PlanFormat }

/** One connection's dialect and I/O. */
export interface Adapter {
  /** Its name for clients, in `GET /schema`. Nothing is decided by it. */
  readonly kind: DatabaseKind
  /** What its database does. Absent: nothing is known of it, and everything is done with care. */
  readonly traits?: DatabaseTraits
  /**
   * Reads what exists. Retried by the engine while the database cannot be reached.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached.
   */
  introspect(signal: AbortSignal): Promise<Introspection>
  /**
   * Lowers and prints: pure, synchronous, no I/O.
   *
   * @throws {GatewayError} `unsupported` (400) naming the construct, the kind of connection and the position,
   *   when this database has no faithful form.
   */
  compile(statement: AuthorizedStatement): CompiledStatement
  /** Runs one compiled statement, in a transaction of its own when `statement.needsTransaction`. */
  execute(execution: Execution): Promise<ResultSet>
  /**
   * Runs `body` on one connection in one transaction: commits when it resolves, rolls back when it rejects.
   * Sessions are not shared: one statement at a time.
   */
  transaction<T>(options: TransactionOptions, body: (session: Session) => Promise<T>): Promise<T>
  /**
   * Asks the database how it would run each step, line by line in its own words, without running any. Absent where it
   * cannot tell. What it says may depend on rows that the caller cannot see.
   */
  planLines?(
    execution: Execution,
    options?: PlanLineOptions,
  ): Promise<readonly (readonly string[])[]>
  /** How its connections or threads are doing now. Absent where there is no fixed number of them. */
  poolState?(): PoolState
  /** Resolves when the database answers. */
  ping(signal: AbortSignal): Promise<void>
  /** Lets running work finish, then closes every connection. */
  close(): Promise<void>
}

/** Options of PostgreSQL's EXPLAIN. `format` is one of the adapter's `planFormats`; the rest may be ignored. */
export interface PlanLineOptions {
  readonly format: PlanFormat
  readonly isVerbose: boolean
  readonly hasCosts: boolean
}

/** Connections or threads of one database, counted. */
export interface PoolState {
  readonly busy: number
  readonly idle: number
  /** Requests that wait for one. */
  readonly waiting: number
}

export interface TransactionOptions {
  /** For every statement in it, in milliseconds. */
  readonly timeoutMs: number
  readonly readOnly: boolean
  readonly signal: AbortSignal | undefined
  /**
   * At least so strict; undefined = what the database does by itself.
   *
   * @throws {GatewayError} `unsupported` from `transaction` where the database cannot promise it.
   */
  readonly isolation?: IsolationLevel | undefined
}

export interface Session {
  execute(execution: Execution): Promise<ResultSet>
  /**
   * Marks a place to return to. Names are made by the engine: `engine_1`, `engine_2` ... Absent where the database has no
   * savepoints.
   */
  savepoint?(name: string): Promise<void>
  /** Undoes everything since the savepoint, which stays; statements that failed since are forgotten. */
  rollBackTo?(name: string): Promise<void>
  /** Forgets the savepoint and those after it. */
  releaseSavepoint?(name: string): Promise<void>
  /**
   * Opens a query whose rows are fetched in pieces, while other statements run in between. Absent where rows only come
   * all at once. Not for statements that need several steps.
   */
  open?(execution: Execution): Promise<Cursor>
  /**
   * Has the database check now what it would only check at the end of the transaction. Absent where it puts nothing off.
   *
   * @throws {GatewayError} what COMMIT would report.
   */
  checkDeferred?(): Promise<void>
}

/** A query that is read in pieces; it ends with its transaction at the latest. */
export interface Cursor {
  /** The next rows, at most `count`; fewer only at the end. */
  fetch(count: number): Promise<readonly Cells[]>
  close(): Promise<void>
}

/** A row in PostgreSQL's text format, column by column; null is SQL's NULL. */
export type Cells = readonly (string | null)[]

/** Takes rows as they come. */
export interface RowReceiver {
  row(cells: Cells): void
  /** Where it wants no more for now: a promise that resolves when it does again. Asked now and then. */
  hold(): Promise<void> | undefined
}

export interface Execution {
  readonly statement: CompiledStatement
  /** `values[s][i]` for `statement.steps[s].parameters[i]`; null where the source is `step`: the adapter fills it in. */
  readonly values: readonly (readonly SqlValue[])[]
  /**
   * - `object`: each row a JSON object by column name (later duplicates win), as method `execute` wants it.
   * - `cells`: each row a JSON array of `Cells`: strings in PostgreSQL's text format, and null for SQL's NULL.
   */
  readonly rowShape: RowShape
  /** Only with `cells`. An adapter that can hands out rows here as they come, and leaves `ResultSet.rows` empty. */
  readonly receiver?: RowReceiver | undefined
  /** At most so many rows come back; more sets `truncated`. */
  readonly maxRows: number
  /** The statement is stopped on the server after so many milliseconds (`queryTimeout`, 408). */
  readonly timeoutMs: number
  /** Aborted when the client went away. */
  readonly signal: AbortSignal | undefined
}

export type RowShape = 'array' | 'object' | 'cells'

/** What came back, already in the JSON forms of the wire. */
export interface ResultSet {
  /** The rows as JSON text, comma separated, without the outer brackets: `[1,"a"],[2,null]`; empty when none. */
  readonly rows: string | Uint8Array
  /** Rows in `rows`; for writes without RETURNING the affected rows. */
  readonly rowCount: number
  /** More than `maxRows` rows were there. */
  readonly truncated: boolean
}

/** What an adapter package is asked to open: one entry of `connections`, checked. */
export interface ConnectionOptions {
  /** The connection's name, for messages and logs. */
  readonly name: string
  /** The URL or path as configured; undefined for a CSV directory. Never to be logged: it may hold a password. */
  readonly url: string
  readonly pool: { readonly max: number | undefined }
  readonly readOnly: boolean
  /** Database schema whose tables are shown; undefined = the database's usual one (`public` on PostgreSQL). */
  readonly schema: string | undefined
  readonly tables: {
    readonly include: readonly string[] | undefined
    readonly exclude: readonly string[]
  }
  /** `declared`: no type may depend on what is stored. `inferred`: stored values say more than the declaration does. */
  readonly types: 'declared' | 'inferred'
  /** Types that the configuration gives columns, by table and column, as PostgreSQL calls them. */
  readonly columnTypes: ConfiguredTypes
  /** Create the database when it does not exist (SQLite files). */
  readonly create: boolean
  /** A directory of CSV files, with what is said about it; undefined for everything else. */
  readonly csv: DirectorySettings | undefined
  readonly log: Log
}

/** `{ orders: { total: 'bigint' } }` */
export type ConfiguredTypes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** An adapter package as it is registered: `EngineOptions.adapters`. */
export interface AdapterPackage {
  /** Its `Adapter.kind`. */
  readonly name: DatabaseKind
  /** Of URLs that mean it, without the colon: `['duckdb']`. They come before the built-in ones. */
  readonly schemes: readonly string[]
  readonly connect: AdapterFactory
}

/** By package name. A factory alone stands for a package whose URL schemes are built in. */
export type Adapters = Readonly<Record<string, AdapterFactory | AdapterPackage>>

/** Exported as `connect` by every adapter package. Opens lazily: it does no I/O before the first call. */
export type AdapterFactory = (options: ConnectionOptions) => Adapter
