/** @module A database server under an adapter that is asked without the engine, in the server's own SQL. */
import type { Adapter, CompiledStatement, Execution, SqlValue } from '@engine/core/adapter'

export interface ServerAdapterOptions {
  readonly pool?: { readonly max: number }
  readonly acquireTimeoutMs?: number
  readonly readOnly?: boolean
}

export interface ServerSubject {
  openAdapter(options: ServerAdapterOptions): Adapter
  /** Runs statements past the adapter. */
  run(...statements: readonly string[]): Promise<void>
  /** Runs a query past the adapter. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** How many sessions, but for its own, run a statement that contains a text. */
  running(text: string): Promise<number>
  /** How many sessions are in a transaction. */
  inTransaction(): Promise<number>
  close(): Promise<void>
}

/** What differs in the SQL of servers. */
export interface ServerDialect {
  /** Prepended to the names of tables. */
  readonly schema: string
  /** A call that lasts so many seconds. */
  sleep(seconds: number): string
  /** A read of one column, as the compiler would leave it. */
  read(sql: string, column: 'integer' | 'sleep'): CompiledStatement
  /** A write that counts its rows. */
  write(sql: string): CompiledStatement
  /** A value that fails when it is stored into an integer that may not be negative. */
  readonly broken: { readonly expression: string; readonly sqlState: string }
  /** SQLSTATE of the one that loses when two wait for each other. */
  readonly deadlock: string
}

/** One run of a statement with one step. */
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
