/** @module Run-time settings of one session: SET, RESET, SHOW, and what the startup packet says. */
import type { IsolationLevel } from '@engine/core/server'
import type { IntervalStyle } from '../../values/interval-style.ts'
import type { TransactionModes } from '../statements/client-statement.ts'
import type { WireIdentity } from './wire-identity.ts'

/** Values as SHOW gives them. Names are not case sensitive. */
export interface SessionSettings {
  /** @throws {GatewayError} 42704 for a setting that does not exist. */
  show(name: string): string
  /**
   * A setting's name as it is spelled: what SHOW heads its column with.
   *
   * @throws {GatewayError} 42704.
   */
  nameOf(name: string): string
  /**
   * @param value undefined: back to what the session began with
   * @param isLocal until the transaction ends
   * @throws {GatewayError} 42704, 55P02 (read-only), 42501, 22023 (bad value), 54000 (too much of it).
   */
  set(name: string, value: string | undefined, isLocal: boolean): void
  resetAll(): void
  /** What SHOW ALL shows, by name: name, value, description. */
  all(): readonly (readonly [name: string, value: string, description: string])[]
  /** Every value that the session has changed, or begun with: what catalog answers may depend on. Lower-case names. */
  changed(): ReadonlyMap<string, string>
  /** A transaction began, a savepoint was set ...: values follow it back. `modes` are shown by `transaction_isolation` ... */
  begin(modes?: TransactionModes): void
  /** SET TRANSACTION: what it says of the transaction that is open. */
  characterize(modes: TransactionModes): void
  /** SET SESSION CHARACTERISTICS: the `default_transaction_…` settings. */
  setSessionCharacteristics(modes: TransactionModes): void
  commit(): void
  rollBack(): void
  savepoint(name: string): void
  /** Does nothing for an unknown name. */
  rollBackTo(name: string): void
  release(name: string): void
  /**
   * Returns the reported settings whose value has changed since the last call; all reported settings on the
   * first call.
   */
  takeChanged(): readonly (readonly [name: string, value: string])[]
  /** Schemas (connections) whose tables need not be qualified. */
  searchPath(): readonly string[]
  /** IANA name, or a fixed offset as PostgreSQL spells it. */
  timeZone(): string
  byteaOutput(): 'hex' | 'escape'
  intervalStyle(): IntervalStyle
  /** Undefined: no limit of its own. */
  statementTimeoutMs(): number | undefined
  idleInTransactionTimeoutMs(): number | undefined
  idleSessionTimeoutMs(): number | undefined
  /** For transactions that say nothing themselves. */
  isReadOnlyByDefault(): boolean
  defaultIsolation(): IsolationLevel
}

/** What a session's settings begin with. */
export interface SettingsOptions {
  readonly identity: WireIdentity
  /** `18.1`: what `server_version` says. */
  readonly serverVersion: string
  /** Connections whose tables need not be qualified. */
  readonly defaultSearchPath: readonly string[]
  readonly isSuperuser: boolean
  /** What `idle_session_timeout` and `idle_in_transaction_session_timeout` begin with; undefined is none. */
  readonly idleSessionTimeoutMs?: number | undefined
  readonly idleInTransactionTimeoutMs?: number | undefined
}
