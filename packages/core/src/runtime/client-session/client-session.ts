/** @module A client's session: prepared statements, transactions over several statements, cursors. */

import type { SessionTimeZone } from '../../compiler/bind/tree/session-time-zone.ts'
import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { Oid } from '../../compiler/sql-types/pg-type.ts'
import type { Caller } from '../../foundation/caller.ts'
import type { Cells, IsolationLevel, OnNotification, RowReceiver } from '../adapter/adapter.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { CurrentRowOf } from '../query/current-rows.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

/** One client's session with the engine. Takes one call at a time. */
export interface ClientSession {
  caller(): Caller
  /** Replaces the caller, after its credential was verified again: the following statements use its rights. */
  become(caller: Caller, credentialId: string | undefined): void
  /** Identifies the caller's rights: the text changes when the caller may see other rows or columns. */
  rights(): string
  /** Another object after every change of a catalog: descriptions that were made before may have changed with it. */
  catalogState(): object
  /** Another object after every change of the configuration; the same while a transaction is open. */
  configuration(): object
  /** The part of the catalog that the caller may see. */
  visible(): VisibleCatalog
  /** May the caller see and do everything? Only then may an error name constraints and columns that the statement did not. */
  isUnrestricted(): boolean
  /**
   * Waits until the next statement would run under the newest configuration; undefined where it would already. For statements
   * that are in no transaction.
   *
   * @throws {GatewayError} `unavailable`, also as a rejection.
   */
  upToDate(): Promise<void> | undefined
  /** Refreshes `visible` from the databases that answer. Await it before showing their catalogs. Never rejects. */
  refresh(): Promise<void>
  /** Looks at the schema of the one database that a statement runs on, after an error that a change may explain. Never rejects. */
  refreshOf(connection: string): Promise<void>
  /**
   * Reads the rules of a time zone from the databases, so that timestamps are read and shown by them. Undefined when they are known. Never
   * rejects.
   */
  learnTimeZone(zone: string): Promise<void> | undefined
  /**
   * Finds the plan of a statement, and runs nothing.
   *
   * @param signal aborted when the client no longer waits for it.
   * @throws {GatewayError} for invalid SQL and for missing rights, and when the signal is aborted.
   */
  describe(
    statement: SessionStatement,
    signal?: AbortSignal | undefined,
  ): Promise<StatementDescription>
  /** Runs a statement: in the open transaction, otherwise in its own. */
  execute(statement: SessionStatement, execution: SessionExecution): Promise<SessionResult>
  /**
   * Returns the database's plan of a statement. With `isAnalyzed` the statement runs, in the open transaction where there is one, and
   * counts as the read or write that it is; otherwise nothing runs. Plans depend on all rows: only callers without restrictions may
   * see them.
   *
   * @throws {GatewayError} `unsupported` for other callers, and where the database has no plans in this format.
   */
  explain(
    statement: SessionStatement,
    execution: OpenExecution,
    options: PlanLineOptions,
  ): Promise<readonly string[]>
  /** Opens a query whose rows are fetched in pieces. Only while a transaction is open. */
  open(statement: SessionStatement, execution: OpenExecution): Promise<SessionCursor>
  /**
   * Waits as a statement of the caller: in its turn, unless a transaction is open.
   *
   * @throws {GatewayError} 57014 after `limits.queryTimeout`, and when the signal is aborted.
   */
  sleep(request: SleepRequest, seconds: number): Promise<void>
  /** LISTEN and NOTIFY. */
  readonly channels: SessionChannels
  /** Opens a transaction for the following statements. It begins on the connection of the first one. */
  begin(options: SessionTransaction): void
  /** Changes the options of `begin`. Only before the first statement. */
  characterize(options: Partial<SessionTransaction>): void
  /** When the open transaction began, in milliseconds since 1970: the meaning of `now` in it. */
  startedAtMs(): number | undefined
  /**
   * Commits. The transaction has ended afterwards, also when this throws.
   *
   * @throws {GatewayError} the database's error; nothing was written then.
   */
  commit(): Promise<void>
  rollBack(): Promise<void>
  /** @throws {GatewayError} `unsupported` where the connection has no savepoints. */
  savepoint(name: string): Promise<void>
  /** @throws {GatewayError} 3B001 for an unknown name. */
  rollBackTo(name: string): Promise<void>
  /** @throws {GatewayError} 3B001 for a name that is not there. */
  release(name: string): Promise<void>
  /** Rolls back an open transaction. The session cannot be used afterwards. */
  end(): Promise<void>
}

export interface SessionChannels {
  /** The channel that a name means: `<connection>.<channel>`, or one of the default connection. Undefined where there is none. */
  find(name: string): ChannelAddress | undefined
  /** May the caller listen to it, with the rights that it has now? */
  mayListen(channel: ChannelAddress): boolean
  /**
   * Resolves when all notifications that are sent from now on will arrive.
   *
   * @returns stops listening.
   * @throws {GatewayError} 42501 for a channel that is unknown or not granted, 0A000 where the database has none.
   */
  listen(request: ChannelRequest, listener: ChannelListener): Promise<() => void>
  /**
   * Sends a notification: when the open transaction commits, otherwise now.
   *
   * @returns the sender that arrives with the notification; others may have the same at other times
   * @throws {GatewayError} as `listen`; 22023 for a payload that is too long.
   */
  notify(request: ChannelRequest, payload: string): Promise<number>
}

/** What happens to a channel after LISTEN. */
export interface ChannelListener {
  readonly onNotification: OnNotification
  /** The database is closed, since the configuration has another one now, or none: nothing arrives any more. */
  readonly onEnd: () => void
}

/** A channel of a database. */
export interface ChannelAddress {
  readonly connection: string
  /** The connection that opens the database: several may share it. */
  readonly database: string
  readonly channel: string
}

/** A statement that no database runs. */
export interface SleepRequest extends Pick<OpenExecution, 'signal' | 'correlationId'> {
  /** The whole statement, for the audit. */
  readonly sql: string
}

/** LISTEN or NOTIFY of a client. */
export interface ChannelRequest extends SleepRequest {
  /** The channel as the client named it. */
  readonly name: string
}

/** A statement as the client sends it. Equal ones share a plan. */
export interface SessionStatement {
  readonly sql: string
  /** Declared type of each `$n`; 0 or absent where the engine infers it. */
  readonly parameterOids: readonly Oid[]
  /** Connections whose tables need no qualification; the first match wins. */
  readonly searchPath: readonly string[]
  /** The session's time zone, where it is not UTC. */
  readonly timeZone?: SessionTimeZone | undefined
  /** The text search configuration of calls that name none, where it is not the database's own: `pg_catalog.simple`. */
  readonly textSearch?: string | undefined
  /** The most rows, where it is not `limits.maxRows`. */
  readonly maxRows?: number | undefined
  /** Its rows are those of a cursor: see `StatementDescription.cursor`. */
  readonly isCursor?: boolean | undefined
  /** The text for the audit, where it is not `sql`. */
  readonly shownSql?: string | undefined
}

/** What happens to rows beyond `limits.maxRows`: an error, or they are left out. */
export type RowOverflow = 'error' | 'cut'

export interface SessionExecution extends OpenExecution {
  readonly receiver: SessionReceiver
}

export interface OpenExecution {
  /**
   * The result when there are more rows than allowed: `error` refuses the statement (54000), after rows that the receiver
   * already has, and undoes its writes; `cut` leaves out the rest. By default as `pgWire.overflow` has it.
   */
  readonly overflow?: RowOverflow | undefined
  /** `params[0]` is `$1`, in PostgreSQL's text format. */
  readonly params: Cells
  /** Stops the statement when aborted. */
  readonly signal: AbortSignal | undefined
  /**
   * The place of a cursor's current row: as `tableoid` and `ctid` of the row show it.
   *
   * @throws {GatewayError} where there is no such row.
   */
  readonly currentRow?: CurrentRowOf | undefined
  /** The correlation id in the audit and the log; the session's own by default. */
  readonly correlationId?: string | undefined
}

export interface SessionReceiver extends RowReceiver {
  /** Called once, before the first row, with the description of the plan that runs. */
  begin(description: StatementDescription): void
}

export interface SessionResult {
  /** Rows returned; for writes without RETURNING the rows written. */
  readonly rowCount: number
  /** Rows are left out. */
  readonly truncated: boolean
  readonly description: StatementDescription
}

/** The rows of a running query, fetched in parts. */
export interface SessionCursor {
  readonly description: StatementDescription
  /**
   * The next rows, at most `count`; fewer only at the end.
   *
   * @throws {GatewayError} 54000 when there are more rows than allowed.
   */
  fetch(count: number): Promise<readonly Cells[]>
  /** After the last fetch: rows are left out. */
  readonly truncated: () => boolean
  /** Bytes of the rows that are in memory; 0 where the database has them. */
  readonly bufferedBytes: number
  close(): Promise<void>
}

export interface SessionTransaction {
  readonly readOnly: boolean
  readonly isolation: IsolationLevel | undefined
}
