/** @module Invitations in the service database. Their tokens are one-time tokens of the purpose `acceptInvitation`. */

import type { FieldValue, Invitation } from '@engine/contract/admin-api'
import { isoTime } from '../accounts/account.ts'
import type { AuthAdmin } from '../auth.ts'
import { contains } from '../input/contains.ts'
import { deleteTokensOf } from '../one-time-tokens/one-time-token.ts'
import type { AuthDatabase, InvitationsTable } from '../store/auth-tables.ts'

/** An invitation as it is stored. */
export interface StoredInvitation {
  readonly id: string
  /** Of an action; empty for those of administrators. */
  readonly scope: string
  /** As entered. */
  readonly email: string
  readonly emailKey: string
  /** Empty when none was given. */
  readonly name: string
  /** undefined: those that an account has without an invitation. */
  readonly roles: readonly string[] | undefined
  /** Columns of the row in the user table. */
  readonly fields: Readonly<Record<string, FieldValue>>
  /** How long one mail is valid. */
  readonly lifetimeMs: number
  readonly createdAtMs: number
  readonly sentAtMs: number
  readonly expiresAtMs: number
}

export async function insertInvitation(
  database: AuthDatabase,
  invitation: StoredInvitation,
): Promise<void> {
  await database
    .insertInto('engine_account_invitations')
    .values({
      id: invitation.id,
      scope: invitation.scope,
      email: invitation.email,
      email_key: invitation.emailKey,
      name: invitation.name,
      roles: invitation.roles === undefined ? null : JSON.stringify(invitation.roles),
      fields: JSON.stringify(invitation.fields),
      lifetime: invitation.lifetimeMs,
      created_at: invitation.createdAtMs,
      sent_at: invitation.sentAtMs,
      expires_at: invitation.expiresAtMs,
    })
    .execute()
}

/** Also one that has expired. */
export async function findInvitation(
  database: AuthDatabase,
  id: string,
): Promise<StoredInvitation | undefined> {
  const row = await database
    .selectFrom('engine_account_invitations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && invitationOf(row)
}

/** Newest first, expired ones too. @param filter without `scope`: of all scopes. */
export async function listInvitations(
  database: AuthDatabase,
  {
    search = '',
    scope,
    limit,
    offset,
  }: Parameters<AuthAdmin['listInvitations']>[0] & { readonly scope?: string },
): Promise<readonly StoredInvitation[]> {
  const rows = await database
    .selectFrom('engine_account_invitations')
    .selectAll()
    .$if(search !== '', (query) => query.where(contains('email_key', search)))
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(invitationOf)
}

/** Removes an invitation and its tokens. @returns false when there is none. */
export async function deleteInvitation(database: AuthDatabase, id: string): Promise<boolean> {
  await deleteTokensOf(database, 'acceptInvitation', id)
  const { numDeletedRows } = await database
    .deleteFrom('engine_account_invitations')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** @param unknownRoles see `Invitation`. */
export function describeInvitation(
  invitation: StoredInvitation,
  unknownRoles: readonly string[],
): Invitation {
  const { id, scope, email, name, roles = null, fields } = invitation
  return {
    id,
    scope: scope === '' ? null : scope,
    email,
    name,
    roles,
    fields,
    createdAt: isoTime(invitation.createdAtMs),
    sentAt: isoTime(invitation.sentAtMs),
    expiresAt: isoTime(invitation.expiresAtMs),
    unknownRoles,
  }
}

function invitationOf(row: InvitationsTable): StoredInvitation {
  return {
    id: row.id,
    scope: row.scope,
    email: row.email,
    emailKey: row.email_key,
    name: row.name,
    roles: row.roles === null ? undefined : (JSON.parse(row.roles) as readonly string[]),
    fields: JSON.parse(row.fields) as StoredInvitation['fields'],
    lifetimeMs: row.lifetime,
    createdAtMs: row.created_at,
    sentAtMs: row.sent_at,
    expiresAtMs: row.expires_at,
  }
}
