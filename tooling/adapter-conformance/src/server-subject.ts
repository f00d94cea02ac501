/** @module A database server with an adapter that tests use without the engine, in the server's own SQL. */
import type { Adapter, CompiledStatement, Execution, SqlValue } from '@engine/core/adapter'

export interface ServerAdapterOptions {
  readonly pool?: { readonly max: number }
  readonly acquireTimeoutMs?: number
  readonly readOnly?: boolean
}

export interface ServerSubject {
  openAdapter(options: ServerAdapterOptions): Adapter
  /** Runs statements without the adapter. */
  run(...statements: readonly string[]): Promise<void>
  /** Runs a query without the adapter. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Number of sessions, without its own, that run a statement that contains a text. */
  running(text: string): Promise<number>
  /** Number of sessions in a transaction. */
  inTransaction(): Promise<number>
  close(): Promise<void>
}

/** Differences in the SQL of servers. */
export interface ServerDialect {
  /** Prefix of table names. */
  readonly schema: string
  /** A call that takes this number of seconds. */
  sleep(seconds: number): string
  /** A read of one column, in the compiler's form. */
  read(sql: string, column: 'integer' | 'sleep'): CompiledStatement
  /** A write that counts its rows. */
  write(sql: string): CompiledStatement
  /** A value that is refused in an integer column that may not be negative. */
  readonly broken: { readonly expression: string; readonly sqlState: string }
  /** SQLSTATE of the victim of a deadlock. */
  readonly deadlock: string
}

/** One execution of a statement with one step. */
export function executionOf(
  statement: CompiledStatement,
  values: readonly SqlValue[] = [],
  options: Partial<Execution> = {},
): Execution {
  return {
    statement,
    values: [values],
    rowShape: 'array',
    maxRows: 10_000,
    timeoutMs: 30_000,
    signal: undefined,
    ...options,
  }
}
