/** @module Run-time settings of one session: SET, RESET, SHOW, and settings of the startup packet. */

import type { IsolationLevel } from '@engine/core/adapter'
import type { DateOrder } from '@engine/core/values'
import type { ClientEncoding } from '../../encodings/client-encoding.ts'
import type { DateOutput } from '../../values/date-style.ts'
import type { IntervalStyle } from '../../values/interval-style.ts'
import type { TransactionModes } from '../statements/client-statement.ts'
import type { WireIdentity } from './wire-identity.ts'

/** Values as SHOW prints them. Names are not case-sensitive. */
export interface SessionSettings {
  /** @throws {GatewayError} 42704 for a setting that does not exist. */
  show(name: string): string
  /**
   * The spelling of a setting's name: SHOW uses it as the name of its column.
   *
   * @throws {GatewayError} 42704.
   */
  nameOf(name: string): string
  /**
   * @param value undefined: back to the value at the start of the session
   * @param isLocal true: the value is reset when the transaction ends
   * @throws {GatewayError} 42704, 55P02 (read-only), 42501, 22023 (bad value), 54000 (too many or too long).
   */
  set(name: string, value: string | undefined, isLocal: boolean): void
  resetAll(): void
  /** The rows of SHOW ALL, by name: name, value, description. */
  all(): readonly (readonly [name: string, value: string, description: string])[]
  /** Another object after every change of a value. */
  state(): object
  /**
   * A transaction began, a savepoint was set ...: a rollback resets values. `transaction_isolation` ... show the
   * `modes`.
   */
  begin(modes?: TransactionModes): void
  /** SET TRANSACTION: changes the modes of the open transaction. */
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
  /** Undefined: text is sent and read as UTF-8. */
  clientEncoding(): ClientEncoding | undefined
  /** Undefined: the database's own configuration. */
  textSearch(): string | undefined
  /** How dates are written, and the order in which an ambiguous one is read. */
  dateStyle(): { readonly style: DateOutput; readonly order: DateOrder }
  intervalStyle(): IntervalStyle
  /** From -15 to 3. */
  extraFloatDigits(): number
  /** Undefined: the session has no limit of its own. */
  statementTimeoutMs(): number | undefined
  idleInTransactionTimeoutMs(): number | undefined
  idleSessionTimeoutMs(): number | undefined
  /** Applies to transactions that do not set it. */
  isReadOnlyByDefault(): boolean
  defaultIsolation(): IsolationLevel
}

/** The initial settings of a session. */
export interface SettingsOptions {
  readonly identity: WireIdentity
  /** `18.1`: the value of `server_version`. */
  readonly serverVersion: string
  /** Connections whose tables need not be qualified. */
  readonly defaultSearchPath: readonly string[]
  /** The connection that "public" means in a search path. */
  readonly publicConnection: string | undefined
  readonly isSuperuser: boolean
  /** Initial values of `idle_session_timeout` and `idle_in_transaction_session_timeout`; undefined is none. */
  readonly idleSessionTimeoutMs?: number | undefined
  readonly idleInTransactionTimeoutMs?: number | undefined
}
