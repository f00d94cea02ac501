/** @module The session of an authenticated client: messages in, messages out. */

import type { Log } from '@engine/core'
import type { ClientSession, RowOverflow } from '@engine/core/session'
import type { WireCatalog } from '../../catalog/wire-catalog.ts'
import type { FrontendMessage } from '../../protocol/frontend-message.ts'
import type { MessageWriter, TransactionStatus } from '../../protocol/message-writer.ts'
import type { SessionSettings } from '../settings/session-settings.ts'
import type { WireIdentity } from '../settings/wire-identity.ts'

export interface WireSession {
  /**
   * Takes the messages of a client one at a time, in order: the next one when the promise has resolved. Every error of
   * a statement is sent to the client; the promise rejects only with `SessionEnd`, after which the connection closes.
   *
   * @param next the type of the following message, where that has already arrived.
   */
  handle(
    message: FrontendMessage,
    next: FrontendMessage['type'] | undefined,
  ): Promise<void> | undefined
  /**
   * Sends the notifications that wait, where the client may get them now: between two transactions. Undefined where nothing is sent.
   * Not while a message is handled. Rejects only with `SessionEnd`.
   */
  deliver(): Promise<void> | undefined
  /** Stops the statement that runs now; without one it does nothing. */
  cancel(): void
  /** The same for a session that ends: `handle` rejects, and the client gets no error for the statement. */
  stop(): void
  /** The statement that runs, or ran last, and when it began; undefined before the first one. */
  statement(): StartedStatement | undefined
  /** The transaction status between statements. */
  status(): TransactionStatus
  /** Rolls back, and drops all objects of the session. */
  end(): Promise<void>
}

export interface StartedStatement {
  readonly sql: string
  /** Milliseconds of `clock`. */
  readonly startedAtMs: number
}

/** The connection ends; the client has already got the reason. */
export class SessionEnd extends Error {
  override readonly name = 'SessionEnd'
}

export interface WireSessionOptions {
  readonly client: ClientSession
  readonly catalog: WireCatalog
  readonly writer: MessageWriter
  readonly identity: WireIdentity
  /** Created from the startup packet, and already reported to the client. */
  readonly settings: SessionSettings
  /** The value that clients get as `server_version`. */
  readonly serverVersion: string
  /** Correlation id of the connection: errors and the audit have it. */
  readonly correlationId: string
  /** Clients see the whole message of an error. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /**
   * Called before every statement: counts it (`rateLimited`), and checks the credential again where that is due.
   *
   * @param isFree the statement is not counted: it was admitted before, or only controls the session.
   * @throws {GatewayError} `rateLimited`; `unauthorized` when the credential is no longer valid: the session ends.
   */
  readonly admit: (isFree: boolean) => Promise<void> | undefined
  /**
   * Cancels the statement of another session, or ends that session. Only the master key may do so with sessions of other callers.
   *
   * @returns false where there is no such session.
   */
  readonly sendSignal: (
    processId: number,
    signal: 'cancel' | 'terminate',
  ) => boolean | Promise<boolean>
  readonly notifications: {
    /** The first one has arrived since the last were sent: `deliver` sends it. */
    arrived(): void
    /** Too many wait: the session has to end. */
    overflowed(): void
    /** Nothing arrives any more from the database of a channel: the session has to end. */
    ended(): void
  }
  readonly limits: {
    readonly maxStatements: number
    readonly maxPortals: number
    /** Maximum bytes of statements, portals and rows of cursors of the client. */
    readonly maxMemory: number
    /** What happens to an answer with more rows than allowed. */
    readonly overflow: RowOverflow
    /** Maximum rows of a cursor, of a portal that is read in pieces, and of COPY TO. */
    readonly maxCursorRows: number
    /** Maximum rows of a catalog answer. */
    readonly maxCatalogRows: number
    readonly queryTimeoutMs: number
    /** Maximum characters or bytes of one row of COPY FROM STDIN. */
    readonly maxRowSize: number
  }
}
