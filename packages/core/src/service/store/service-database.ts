/** @module The interface of an adapter package for the service database: connections that run the service's own SQL. */
import type { Log } from '../../foundation/log.ts'
import type { StoreKind, StoreValue } from './store.ts'

/** The result of one statement. */
export interface ServiceResult {
  /** By column name. Integers are numbers, bytes are `Uint8Array`. */
  readonly rows: readonly object[]
  /** The number of rows that a write found; undefined for all other statements. */
  readonly affectedRows: number | undefined
  /** MySQL's LAST_INSERT_ID() after a write; undefined elsewhere. */
  readonly insertId?: number | undefined
}

/** A connection for exclusive use until it is released. */
export interface ServiceConnection {
  /**
   * Runs one statement in the dialect of the database, `parameters` in the order of its placeholders.
   *
   * @throws {GatewayError} with the SQLSTATE that PostgreSQL would give.
   */
  execute(sql: string, parameters: readonly StoreValue[]): Promise<ServiceResult>
  /** Opens a transaction that may write. */
  begin(): Promise<void>
  commit(): Promise<void>
  /** Leaves no open transaction; if it cannot, `release` closes the connection. */
  rollBack(): Promise<void>
  /** Returns the connection to the pool, or closes it when its state may not be clean. */
  release(): void
}

/** The service database of an adapter package. Connects when it is first used. */
export interface ServiceDatabase {
  readonly kind: StoreKind
  /** True if other nodes may use it, too. */
  readonly isShared: boolean
  /**
   * Waits at most ten seconds for a connection.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached or all connections stay busy.
   */
  acquire(): Promise<ServiceConnection>
  /**
   * For a database within this process: returns a function that runs a statement without parameters and returns the number in its
   * only row, at once, from the last committed state. It throws like `execute`. Others leave it out.
   */
  readonly createReader?: (sql: string) => () => number
  /**
   * For a database within this process: runs a statement that writes once for each list of parameters, in one transaction, on
   * another thread, so that this one does not wait for the disk. It throws like `execute`, and then nothing was written. Others
   * leave it out.
   *
   * @returns the number of changed rows.
   */
  readonly writeElsewhere?: (
    sql: string,
    parameterLists: readonly (readonly StoreValue[])[],
  ) => Promise<number>
  /** Waits for connections that are in use, then closes all. */
  close(): Promise<void>
}

/** Options for opening a service database. */
export interface ServiceDatabaseOptions {
  readonly log: Log
}

/**
 * Exported as `serviceDatabase` by adapter packages whose database can be the service database.
 *
 * @throws {GatewayError} `invalidConfiguration` when the URL is wrong, or a local file cannot be opened.
 */
export type ServiceDatabaseFactory = (
  url: string,
  options: ServiceDatabaseOptions,
) => ServiceDatabase

/** How long a statement may run, in milliseconds; one that changes tables runs without limit. */
export const serviceStatementTimeoutMs = 30_000

/** How long to wait for a connection, or for a lock of another process, in milliseconds. */
export const serviceWaitMs = 10_000
