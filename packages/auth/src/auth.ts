/** @module The interface of the auth provider: one method for each use case. Routes only translate requests and answers. */
import type {
  CurrentSessionResponse,
  InvitationResponse,
  SessionDescription,
  SessionResponse,
} from '@engine/contract'
import type {
  AdminSession,
  AdminUser,
  ApiKeyDescription,
  CreatedApiKey,
  FieldValue,
  Invitation,
  OutboxMail,
} from '@engine/contract/admin-api'
import type { Engine } from '@engine/core'
import type { AuthProvider, ClientInfo, OpenActionAccounts } from '@engine/core/server'
import type { HashQueueStats } from './passwords/hash-queue.ts'

/**
 * Accounts, sessions, tokens and API keys. `body` is a parsed JSON body that is not checked yet; `token` is the text
 * after `Bearer`, undefined where there was none. Methods throw `GatewayError`: `invalidInput` (400) for a body of the
 * wrong shape, `rateLimited` (429) with `rate`, and the errors that each method lists.
 */
export interface Auth extends AuthProvider {
  /**
   * Authenticates callers with the rows that this engine reads, of one configuration; `authenticate` itself reads them
   * under the configuration of the moment.
   */
  under(engine: Engine): AuthProvider
  /** @throws {GatewayError} `emailExists` (409). */
  signUp(body: unknown, client: ClientInfo): Promise<SessionResponse>
  /** @throws {GatewayError} `invalidCredentials` (401), `emailNotVerified` (403, not with `signUp.concealExisting`). */
  signIn(body: unknown, client: ClientInfo): Promise<SessionResponse>
  /** @throws {GatewayError} `unauthorized` (401). */
  signOut(token: string | undefined, client: ClientInfo): Promise<void>
  /** Returns the session, with a new token inside the refresh window. @throws {GatewayError} `unauthorized` (401). */
  session(token: string | undefined, client: ClientInfo): Promise<CurrentSessionResponse>
  /** Reveals neither by its answer nor by its time whether the account exists. */
  forgotPassword(body: unknown, client: ClientInfo): Promise<void>
  /** @throws {GatewayError} `invalidToken` (400). */
  resetPassword(body: unknown, client: ClientInfo): Promise<void>
  /** @throws {GatewayError} `invalidToken` (400). */
  verifyEmail(body: unknown, client: ClientInfo): Promise<void>
  /** Answers like `forgotPassword`. */
  resendVerification(body: unknown, client: ClientInfo): Promise<void>
  /** Whom a token invites. @throws {GatewayError} `invalidToken` (400). */
  showInvitation(body: unknown, client: ClientInfo): Promise<InvitationResponse>
  /** Sets the password, the roles and the row of an invited user. @throws {GatewayError} `invalidToken` (400). */
  acceptInvitation(body: unknown, client: ClientInfo): Promise<SessionResponse>
  /** Ends the caller's other sessions. @throws {GatewayError} `unauthorized`, `invalidCredentials` (401). */
  changePassword(token: string | undefined, body: unknown, client: ClientInfo): Promise<void>
  /** @throws {GatewayError} `unauthorized` (401). */
  listSessions(
    token: string | undefined,
    client: ClientInfo,
  ): Promise<readonly SessionDescription[]>
  /** @param id of one session, or `others`. @throws {GatewayError} `unauthorized` (401), `notFound` (404). */
  endSession(token: string | undefined, id: string, client: ClientInfo): Promise<void>
  /** Public keys, for `/auth/.well-known/jwks.json`; no keys where tokens are signed with a secret. */
  jwks(): { readonly keys: readonly object[] }
  /** Number of passwords that are being hashed or wait to be hashed, for metrics. */
  hashingLoad(): HashQueueStats
  readonly admin: AuthAdmin
  /** Invitations for one call of an action. */
  readonly forActions: OpenActionAccounts
  /** Waits until mails in progress are sent, or returned to the queue. */
  close(): Promise<void>
}

/** Methods for administrators. The routes have checked the master key. */
export interface AuthAdmin {
  createApiKey(input: ApiKeyInput): Promise<CreatedApiKey>
  listApiKeys(): Promise<readonly ApiKeyDescription[]>
  /** @returns false when there is no such user. */
  revokeApiKey(id: string): Promise<boolean>
  listSessions(filter: SessionFilter): Promise<readonly AdminSession[]>
  /** @returns how many ended. Without `userId`: sessions of all users. */
  endSessions(filter: { readonly userId?: string; readonly id?: string }): Promise<number>
  /** Newest first. @param filter `search` in addresses and names; or an id. */
  listUsers(filter: {
    readonly search?: string
    readonly limit: number
    readonly offset: number
  }): Promise<readonly AdminUser[]>
  /**
   * Rows of the user table that are callers without an account: tokens that were created elsewhere name them. None where there
   * are no such tokens, and while the table cannot be read.
   *
   * @param search in the texts that `$user` reads; or the value that a token names.
   */
  findRows(search: string, limit: number): Promise<readonly RowCaller[]>
  /**
   * Creates an account. Without a password, its owner gets the mail that `forgotPassword` sends, and sets one.
   *
   * @throws {GatewayError} `invalidInput`; `emailExists` when the address is taken.
   */
  createUser(input: NewUser): Promise<AdminUser>
  /** Sets the roles, and whether the account may sign in. @returns false when there is no such user. */
  updateUser(
    id: string,
    change: { readonly roles?: readonly string[]; readonly disabled?: boolean },
  ): Promise<boolean>
  /**
   * Sends a mail to an address, known or not, with which its owner sets a password and gets the roles and the row.
   *
   * @throws {GatewayError} `invalidInput`; `conflict` when the address is invited already.
   */
  invite(input: NewInvitation): Promise<Invitation>
  /** Those that wait or have expired, newest first. @param filter `search` in addresses. */
  listInvitations(filter: {
    readonly search?: string
    readonly limit: number
    readonly offset: number
  }): Promise<readonly Invitation[]>
  /** Sends another mail; those before it are invalid. @returns undefined when there is no such invitation. */
  resendInvitation(id: string): Promise<Invitation | undefined>
  /** @returns false when there is no such invitation. */
  revokeInvitation(id: string): Promise<boolean>
  /** Sends the mail that `forgotPassword` sends. @returns false when there is no such user. */
  startReset(userId: string): Promise<boolean>
  /** Mails that were not sent because no SMTP server is configured, newest first; empty otherwise. */
  outbox(): Promise<readonly OutboxMail[]>
}

export interface NewUser {
  readonly email: string
  readonly name?: string | undefined
  /** By default those of its row in the user table. */
  readonly roles?: readonly string[] | undefined
  /** The address is known to belong to the person. */
  readonly verified?: boolean | undefined
  readonly password?: string | undefined
  /** Columns of the new row in the user table. */
  readonly fields?: Readonly<Record<string, FieldValue>> | undefined
}

/** What an invitation is made of. */
export interface NewInvitation {
  readonly email: string
  readonly name?: string | undefined
  /** Roles of the account; by default those that it has without an invitation. The configuration must name them. */
  readonly roles?: readonly string[] | undefined
  /** Columns of the row in the user table. */
  readonly fields?: Readonly<Record<string, FieldValue>> | undefined
  /** A duration, `1m` to `90d`. Default `7d`. */
  readonly expiresIn?: string | undefined
}

/** A new API key: what it may do, and until when. */
export interface ApiKeyInput {
  readonly name: string
  readonly roles: readonly string[]
  /** `$user` fields. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The key acts as this user: `$user.id`. */
  readonly userId?: string
  /** ISO 8601. */
  readonly expiresAt?: string
}

/** Selects a page of sessions. */
export interface SessionFilter {
  readonly userId?: string
  readonly limit: number
  readonly offset: number
}

/** A row of the user table that is a caller without an account. */
export interface RowCaller {
  /** Identifies the caller, with `claims` where these are needed. */
  readonly id: string
  readonly claims: Readonly<Record<string, unknown>> | undefined
  /** Of the columns `email` and `name`, where `$user` reads them. */
  readonly email: string | null
  readonly name: string | null
}
