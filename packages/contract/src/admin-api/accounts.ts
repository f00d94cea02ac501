/** @module Accounts, invitations, sessions, API keys and mails, as administrators see them. */
import type { SessionDescription } from '../auth.ts'

/** A value of a column of the user table. */
export type FieldValue = string | number | boolean | null

/** An invitation that is not accepted yet, as administrators see it. */
export interface Invitation {
  readonly id: string
  /** Of the action that made it, see `ActionAccounts`; null: an administrator did. */
  readonly scope: string | null
  readonly email: string
  readonly name: string
  readonly roles: readonly string[] | null
  readonly fields: Readonly<Record<string, FieldValue>>
  /** ISO 8601, UTC, like the others. */
  readonly createdAt: string
  readonly sentAt: string
  readonly expiresAt: string
  /** Its roles that the configuration no longer names: as long as there are any, it cannot be accepted. */
  readonly unknownRoles: readonly string[]
}

/** An API key without its secret. */
export interface ApiKeyDescription {
  readonly id: string
  readonly name: string
  readonly roles: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly userId: string | null
  /** ISO 8601, UTC, like the others. */
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/** A new API key with its secret. */
export interface CreatedApiKey extends ApiKeyDescription {
  /** `ek_<id>_<secret>`; shown only once. */
  readonly key: string
}

/** A session, as administrators see it. */
export interface AdminSession extends Omit<SessionDescription, 'current'> {
  readonly userId: string
  /** The address of its user's account. */
  readonly email: string
}

/** A user, as administrators see it. */
export interface AdminUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly roles: readonly string[] | null
  readonly disabled: boolean
  readonly createdAt: string
}

/** A mail in the outbox. */
export interface OutboxMail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly createdAt: string
}
