/** @module The service's own tables: accounts, sessions, keys, audit. On any database that Kysely supports. */
import type { Compilable, Kysely, Transaction } from 'kysely'

/** The value of a placeholder: truth values are already 0 and 1, times are numbers. */
export type StoreValue = string | number | bigint | Uint8Array | null

/** The kind of database that a store is in. */
export type StoreKind = 'sqlite' | 'libsql' | 'postgres' | 'mysql'

/**
 * The service database. Conventions for every table: names begin with `engine_`; times are whole milliseconds since
 * 1970 in `bigint` columns and numbers in JavaScript; truth values are 0 and 1; JSON is text. Text compares by its bytes.
 */
export interface Store {
  readonly kind: StoreKind
  /** True if other nodes may use it, too. */
  readonly isShared: boolean
  // biome-ignore lint/suspicious/noExplicitAny: every package names its own tables by `withTables`
  readonly database: Kysely<any>
  /** The same database with types for its tables. */
  withTables<Tables>(): Kysely<Tables>
  /**
   * Runs `work` completely or not at all. Runs it again when the database aborts it (deadlock, serialisation, busy): `work` has
   * no effects outside the transaction, does not use `database`, and waits for nothing slow: with SQLite all other writers wait
   * for it. After a failed statement (a taken key too) the transaction can only be rolled back. READ COMMITTED on PostgreSQL and
   * MySQL: a row that is read to be changed is changed by a condition, or read with `forUpdate()`.
   */
  transaction<Tables, Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs one statement by itself, for work that no request waits for: with SQLite on another thread. Not for tables whose
   * changes are counted.
   */
  runInBackground(query: Compilable): Promise<void>
  /**
   * As `runInBackground`, once for each list of parameters, in one transaction. Only for a database within this process that
   * writes on another thread; there it costs less than one statement for all.
   *
   * @param query its own parameters are not used.
   */
  runManyInBackground?(
    query: Compilable,
    parameterLists: readonly (readonly StoreValue[])[],
  ): Promise<void>
  /**
   * Applies missing migrations, once, in order, even if other nodes start at the same time. It also resolves when the server
   * cannot be reached: then statements are `unavailable` (503) until it can.
   *
   * @throws {GatewayError} `invalidConfiguration` when a migration fails, or a newer version has changed the tables.
   */
  migrate(migrations: readonly Migration[]): Promise<void>
  /**
   * Makes the change counter, and tables by their migrations; from now on, changes of these tables advance the counter in the same
   * transaction. Changes that others make advance it by triggers, where those can be made. Throws like `migrate`.
   */
  countChanges(tables: readonly CountedTable[], migrations: readonly Migration[]): Promise<void>
  /**
   * Returns the change counter: a number that is equal only while nothing has changed. It is from a reading that began after the call; where the database is within this process at once, from
   * one that began in this turn of the event loop.
   *
   * @param maxAgeMs a reading of this node that began at most so many milliseconds before is good enough; changes by this node
   *   are seen at once all the same.
   * @throws {GatewayError} `unavailable` when it cannot be read.
   */
  changeCount(maxAgeMs?: number): number | Promise<number>
  /** Resolves when all migrations are applied; rejects when they cannot be applied. For background work. */
  whenReady(): Promise<void>
  /** Rejects when the database cannot be reached, or its tables are not up to date yet. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * A change of the service's tables; never edited after its release. MySQL cannot undo half of it: there it runs again from the
 * beginning, so tables are made with `createTable().ifNotExists()` and indexes with `createIndex`.
 */
export interface Migration {
  /** `auth/0001-initial`, `auth/mail-0001-queue`: area, series, number. Applied in the order given. */
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a migration meets tables of every age
  up(database: Kysely<any>, kind: StoreKind): Promise<void>
  /**
   * The service works without this step: it runs at every start and is not recorded, and when it fails, this text is logged as a
   * warning.
   */
  readonly failureWarning?: string
}

/** A table of the service whose changes are counted. */
export interface CountedTable {
  readonly name: string
  /** New rows change nothing that is remembered. */
  readonly ignoresInserts?: boolean
  /** Columns that are not remembered: an update of these alone is not counted. */
  readonly ignoredColumns?: readonly string[]
}
