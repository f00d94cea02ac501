/** @module The service's tables that hold accounts, as Kysely sees them. Times: milliseconds since 1970. Flags: 0 or 1. */
import type { Kysely } from 'kysely'

export interface AuthTables {
  engine_users: UsersTable
  engine_sessions: SessionsTable
  engine_one_time_tokens: OneTimeTokensTable
  engine_account_invitations: InvitationsTable
  engine_lockouts: LockoutsTable
  engine_known_addresses: KnownAddressesTable
}

/** Also a transaction. */
export type AuthDatabase = Kysely<AuthTables>

/** One row for each account, wherever its profile is stored. */
export interface UsersTable {
  /** UUID, or the key of the row in the user table as text. */
  id: string
  /** As the user entered it. */
  email: string
  /** Unique; see `email-address.ts`. */
  email_key: string
  /** Empty when none was given. */
  name: string
  email_verified: number
  disabled: number
  /** JSON array of texts; null: the configured default. */
  roles: string | null
  /** Null: no password was set, so signing in with a password is not possible. */
  password_hash: string | null
  /** Increases whenever all sessions end at once: sessions of an older epoch are invalid. */
  epoch: number
  created_at: number
}

export interface SessionsTable {
  /** 128 random bits, base64url. Not a credential: only the signed token with it is one. */
  sid: string
  user_id: string
  /** The account's epoch when the session began. */
  epoch: number
  created_at: number
  last_seen_at: number
  /** End of the latest token. */
  expires_at: number
  /** A refresh never extends the session beyond it. */
  absolute_at: number
  ip: string | null
  user_agent: string | null
}

export interface OneTimeTokensTable {
  /** SHA-256, base64url. */
  token_hash: string
  purpose: string
  /** Of the account, or of the invitation. */
  user_id: string
  /** The account's key when the token was created: a token becomes invalid when the address changes. */
  email_key: string
  created_at: number
  expires_at: number
}

/** People who were invited and have not accepted yet. */
export interface InvitationsTable {
  id: string
  /** Of an action; empty for those of administrators. */
  scope: string
  /** As entered. */
  email: string
  /** Unique in a scope. */
  email_key: string
  name: string
  /** JSON array of texts; null: the configured default. */
  roles: string | null
  /** JSON object: columns of the row in the user table. */
  fields: string
  /** Milliseconds from a mail to the end of its token. */
  lifetime: number
  created_at: number
  /** Of the latest mail. */
  sent_at: number
  expires_at: number
}

export interface LockoutsTable {
  /** SHA-256 of the given address, known or not. */
  account_key: string
  /** Number since the last success. */
  failures: number
  /** Number of these in the current window. */
  recent_failures: number
  window_started_at: number
  last_failure_at: number
}

/** Addresses from which a user has signed in to an account. */
export interface KnownAddressesTable {
  account_key: string
  /** SHA-256 of the IP address or network. */
  address_key: string
  last_success_at: number
}
