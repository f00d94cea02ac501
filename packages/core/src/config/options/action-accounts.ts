/** @module Accounts, as actions use them: invitations of one scope. */
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'

/**
 * Separates the invitations of an application from each other: the id of an organisation, of a project. An action sees and
 * changes only those of the scope that it names. At most 190 characters.
 */
export type InvitationScope = string | number | bigint

/** An invitation that an action sends. */
export interface ActionInvitationInput {
  readonly scope: InvitationScope
  readonly email: string
  readonly name?: string | undefined
  /** Roles of the account; the configuration must name them. Where the user table has roles, they are in `fields`. */
  readonly roles?: readonly string[] | undefined
  /** Columns of the row in the user table. */
  readonly fields?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** A duration, `1m` to `90d`. Default `7d`. */
  readonly expiresIn?: string | undefined
}

/** An invitation that is not accepted yet. */
export interface ActionInvitation {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[] | null
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  /** ISO 8601, UTC, like the others. */
  readonly createdAt: string
  readonly sentAt: string
  readonly expiresAt: string
}

/**
 * Invitations to new accounts. The methods check that roles and columns exist, never what the caller may do: the action decides
 * for whom they are, with which roles and which row. They are no part of a transaction of `db`.
 */
export interface ActionAccounts {
  /**
   * Sends a mail with which the owner of the address makes an account. An address that has an account or a row already gets the
   * mail too, and is refused when it accepts: no answer depends on who has an account.
   *
   * @throws {GatewayError} `invalidInput` for an address, a role, a column or a value that does not fit; `conflict` where the scope
   *   has an invitation for the address; `rateLimited` after three mails to an address in a quarter of an hour.
   */
  invite(input: ActionInvitationInput): Promise<ActionInvitation>
  /** Those that wait or have expired, newest first. @param filter `limit` is 100 by default, and at most 1000. */
  listInvitations(filter: {
    readonly scope: InvitationScope
    readonly limit?: number
    readonly offset?: number
  }): Promise<readonly ActionInvitation[]>
  /**
   * Sends another mail; those before it are invalid.
   *
   * @returns undefined when the scope has no such invitation.
   * @throws {GatewayError} `rateLimited`, like `invite`.
   */
  resendInvitation(of: {
    readonly scope: InvitationScope
    readonly id: string
  }): Promise<ActionInvitation | undefined>
  /** @returns false when the scope has no such invitation. */
  revokeInvitation(of: { readonly scope: InvitationScope; readonly id: string }): Promise<boolean>
}

/** The accounts for a call of an action; caller and origin are recorded in the audit log. */
export type OpenActionAccounts = (caller: Caller, origin: RequestOrigin) => ActionAccounts
