/** @module What an adapter package gives the service database: connections that run SQL of our own. */
import type { Log } from '../../foundation/log.ts'
import type { StoreKind } from './store.ts'

/** What is bound to a placeholder: truth values are 0 and 1 already, times are numbers. */
export type StoreValue = string | number | bigint | Uint8Array | null

/** One statement's outcome. */
export interface ServiceResult {
  /** By column name. Integers are numbers, bytes are `Uint8Array`. */
  readonly rows: readonly object[]
  /** Rows that a write found; undefined for everything else. */
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
  /** Gives it back, or closes it when its state is not known to be clean. */
  release(): void
}

/** The service database as its adapter package sees it. Connects when it is first used. */
export interface ServiceDatabase {
  readonly kind: StoreKind
  /** Other nodes may use it too. */
  readonly isShared: boolean
  /**
   * Waits for a connection, for ten seconds at most.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached or all connections stay busy.
   */
  acquire(): Promise<ServiceConnection>
  /** Waits for connections that are in use, then closes all. */
  close(): Promise<void>
}

export interface ServiceDatabaseOptions {
  readonly log: Log
}

/**
 * Exported as `serviceDatabase` by adapter packages of databases that can be one.
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
