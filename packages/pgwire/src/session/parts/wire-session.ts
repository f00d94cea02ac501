/** @module The session of an authenticated client: messages in, messages out. */

import type { Log } from '@engine/core'
import type { ClientSession } from '@engine/core/server'
import type { WireCatalog } from '../../catalog/wire-catalog.ts'
import type { FrontendMessage } from '../../protocol/frontend-message.ts'
import type { MessageWriter, TransactionStatus } from '../../protocol/message-writer.ts'
import type { SessionSettings } from '../settings/session-settings.ts'
import type { WireIdentity } from '../settings/wire-identity.ts'

export interface WireSession {
  /**
   * Takes the messages of a client one at a time, in order: the next one when the promise has resolved. Everything that
   * goes wrong with a statement is sent to the client; it rejects only with `SessionEnd`, after which the connection closes.
   *
   * @param next the type of the message after it, where that has arrived already.
   */
  handle(
    message: FrontendMessage,
    next: FrontendMessage['type'] | undefined,
  ): Promise<void> | undefined
  /** Stops the statement that runs now; without one it does nothing. */
  cancel(): void
  /** The same for a session that ends: `handle` rejects, and the client gets no error for the statement. */
  stop(): void
  /** The transaction status between statements. */
  status(): TransactionStatus
  /** Rolls back, drops everything. */
  end(): Promise<void>
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
  /** Made from the startup packet, and already reported to the client. */
  readonly settings: SessionSettings
  /** What clients get as `server_version`. */
  readonly serverVersion: string
  /** Of the connection: errors name it, and the audit. */
  readonly correlationId: string
  /** Clients see the whole message of an error. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /**
   * Asked before every statement: counts it (`rateLimited`), and looks at the credential again where that is due.
   *
   * @param isFree it is not counted: it was admitted before, or only controls the session.
   * @throws {GatewayError} `rateLimited`; `unauthorized` when the credential is no longer valid: the session ends.
   */
  readonly admit: (isFree: boolean) => Promise<void> | undefined
  readonly limits: {
    readonly maxStatements: number
    readonly maxPortals: number
    /** Bytes of statements, portals and rows of cursors that the client keeps. */
    readonly maxMemory: number
    /** Rows of a catalog answer. */
    readonly maxRows: number
    readonly queryTimeoutMs: number
    /** Characters or bytes of one row of COPY FROM STDIN. */
    readonly maxRowSize: number
  }
}
