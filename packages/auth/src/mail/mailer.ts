/** @module The interface of e-mail that the use cases need. */

import type { OutboxMail } from '@engine/contract/admin-api'
import type { MailKind } from '@engine/core'

/** A mail to one account. */
export interface MailRequest {
  /** As stored with the account, never as sent in a request. */
  readonly email: string
  /** May be empty. */
  readonly name: string
  /** One-time token in the mail. */
  readonly token?: string
  /** When the token ends, milliseconds since 1970; after that, the mail is not sent. */
  readonly expiresAtMs?: number
}

/** Mails are stored in the service database until they are sent, so that no crash loses one. */
export interface Mailer {
  /** Resolves when the mail is stored; it is sent later, in the background. Failures are logged and tried again. */
  send(kind: MailKind, mail: MailRequest): Promise<void>
  /**
   * Does the work of `send` and sends nothing, so that the load after an answer does not reveal whether the account
   * exists.
   */
  sendDecoy(): Promise<void>
  /** Mails that wait because no SMTP server is configured, newest first; empty otherwise. */
  outbox(): Promise<readonly OutboxMail[]>
  /** Sends due mails for at most some seconds; the rest stays stored for the next start or another node. */
  close(): Promise<void>
}
