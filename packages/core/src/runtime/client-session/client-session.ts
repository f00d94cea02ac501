/** @module A client that stays: prepared statements, transactions over several statements, rows in pieces. */

import type { SessionTimeZone } from '../../compiler/bind/tree/session-time-zone.ts'
import type { Oid } from '../../compiler/sql-types/pg-type.ts'
import type { Caller } from '../../foundation/caller.ts'
import type { Cells, IsolationLevel, PlanLineOptions, RowReceiver } from '../adapter/adapter.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

/** One client's conversation with the engine. One call at a time. */
export interface ClientSession {
  readonly caller: () => Caller
  /** The credential was looked at again: whose rights count from now on. */
  become(caller: Caller, credentialId: string | undefined): void
  /** Another text as soon as the caller may see other rows or columns: what was opened before shows more, or less. */
  rights(): string
  /** What the caller may know of. */
  visible(): VisibleCatalog
  /** May the caller see and do everything? Only then may an error name constraints and columns that the caller did not. */
  isUnrestricted(): boolean
  /** Has `visible` follow the databases, as far as they answer; to be awaited before their catalogs are shown. Never rejects. */
  refresh(): Promise<void>
  /**
   * Finds the plan of a statement, and runs nothing.
   *
   * @throws {GatewayError} everything that is wrong with text or rights.
   */
  describe(statement: SessionStatement): Promise<StatementDescription>
  /** Runs a statement: in the open transaction, else by itself. */
  execute(statement: SessionStatement, execution: SessionExecution): Promise<SessionResult>
  /**
   * How the database would run a statement, in its own words; nothing runs. Plans tell of rows: they are for callers without
   * restrictions alone.
   *
   * @throws {GatewayError} `unsupported` for all others, and where the database has no plan or no such form of it.
   */
  explain(
    statement: SessionStatement,
    execution: OpenExecution,
    options: PlanLineOptions,
  ): Promise<readonly string[]>
  /** Opens a query whose rows are fetched in pieces. Only while a transaction is open. */
  open(statement: SessionStatement, execution: OpenExecution): Promise<SessionCursor>
  /** From now on statements run in one transaction, which begins on the connection of the first one. */
  begin(options: SessionTransaction): void
  /** Before the first statement: changes what `begin` said. */
  characterize(options: Partial<SessionTransaction>): void
  /**
   * Nothing is left open afterwards, whatever happens.
   *
   * @throws {GatewayError} what the database reports: then nothing was written.
   */
  commit(): Promise<void>
  rollBack(): Promise<void>
  /** @throws {GatewayError} `unsupported` where the connection has none. */
  savepoint(name: string): Promise<void>
  /** @throws {GatewayError} 3B001 for a name that is not there. */
  rollBackTo(name: string): Promise<void>
  /** @throws {GatewayError} 3B001 for a name that is not there. */
  release(name: string): Promise<void>
  /** Rolls back what is open. The session is of no use afterwards. */
  end(): Promise<void>
}

/** A statement as a client words it. Equal ones share a plan. */
export interface SessionStatement {
  readonly sql: string
  /** Declared type of each `$n`; 0 or nothing where it is to be inferred. */
  readonly parameterOids: readonly Oid[]
  /** Connections whose tables need not be qualified, first wins. */
  readonly searchPath: readonly string[]
  /** Of the session, where it is not UTC. */
  readonly timeZone?: SessionTimeZone | undefined
  /** What the audit writes down, where it is not `sql`. */
  readonly shownSql?: string | undefined
}

export interface SessionExecution extends OpenExecution {
  readonly receiver: SessionReceiver
}

export interface OpenExecution {
  /** `params[0]` is `$1`, in PostgreSQL's text format. */
  readonly params: Cells
  /** Stops what runs. */
  readonly signal: AbortSignal | undefined
  /** Under which the statement is written down; the session's own by default. */
  readonly correlationId?: string | undefined
}

export interface SessionReceiver extends RowReceiver {
  /** Before the first row, once: the plan that really runs. */
  begin(description: StatementDescription): void
}

export interface SessionResult {
  /** Rows given; rows written where none are given. */
  readonly rowCount: number
  /** `limits.maxRows` cut the answer. */
  readonly truncated: boolean
  readonly description: StatementDescription
}

export interface SessionCursor {
  readonly description: StatementDescription
  /** The next rows, at most `count`; fewer only at the end. */
  fetch(count: number): Promise<readonly Cells[]>
  /** After the last fetch: `limits.maxRows` cut the answer. */
  readonly truncated: () => boolean
  close(): Promise<void>
}

export interface SessionTransaction {
  readonly readOnly: boolean
  readonly isolation: IsolationLevel | undefined
}
