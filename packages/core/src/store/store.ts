/** @module The service's own tables: accounts, sessions, keys, audit. On any database that Kysely speaks to. */
import type { Kysely, Transaction } from 'kysely'

export type StoreKind = 'sqlite' | 'libsql' | 'postgres' | 'mysql'

/**
 * The service database. Conventions for every table: names begin with `engine_`; times are whole milliseconds since
 * 1970 in `bigint` columns and numbers in JavaScript; truth values are 0 and 1; JSON is text. Text compares by its bytes.
 */
export interface Store {
  readonly kind: StoreKind
  /** Other nodes may use it too. */
  readonly isShared: boolean
  // biome-ignore lint/suspicious/noExplicitAny: every package names its own tables by `withTables`
  readonly database: Kysely<any>
  /** The same database, its tables known by type. */
  withTables<Tables>(): Kysely<Tables>
  /**
   * All of `work` or none. Runs again when the database gave up on it (deadlock, serialisation, busy): `work` has no
   * effects outside the transaction.
   */
  transaction<Tables, Result>(
    work: (transaction: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
  /** Applies what is missing, once, in order, whatever other nodes start at the same time. */
  migrate(migrations: readonly Migration[]): Promise<void>
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A change of the service's tables; never edited once released. */
export interface Migration {
  /** `auth/0001-initial`; applied in the order given. */
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a migration meets tables of every age
  up(database: Kysely<any>, kind: StoreKind): Promise<void>
}
