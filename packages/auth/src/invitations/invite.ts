/** @module Makes, lists, resends and revokes invitations: those of administrators, and those of the scopes of actions. */
import { randomUUID } from 'node:crypto'
import type { Invitation } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import { parseDuration, suggestion } from '@engine/core/server'
import { isUniqueViolation } from '@engine/core/store'
import type { AuthAdmin, NewInvitation } from '../auth.ts'
import type { AuthContext } from '../auth-context.ts'
import { givesRoles } from '../callers/make-caller.ts'
import { parseEmail } from '../input/email-address.ts'
import { checkName } from '../input/person-name.ts'
import { invalidInput } from '../input/read-input.ts'
import { deleteTokensOf, makeToken, tokenLifetimesMs } from '../one-time-tokens/one-time-token.ts'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'
import { asInvalidField, checkFields } from './check-fields.ts'
import {
  deleteInvitation,
  describeInvitation,
  findInvitation,
  insertInvitation,
  listInvitations,
  type StoredInvitation,
} from './invitation-store.ts'
import { knownRoles, unknownRoles } from './invited-roles.ts'

/** The methods of `AuthAdmin` for invitations. */
export type InvitationAdmin = Pick<
  AuthAdmin,
  'invite' | 'listInvitations' | 'resendInvitation' | 'revokeInvitation'
>

const minute = 60_000
const day = 24 * 60 * minute

/** Limits of `expiresIn`, in milliseconds. */
const shortestMs = minute
const longestMs = 90 * day

export function createInvitationAdmin(context: AuthContext): InvitationAdmin {
  const { settings, engine, database, store } = context
  const described = (invitation: StoredInvitation) =>
    describeInvitation(invitation, unknownRoles(invitation, settings, engine))
  return {
    invite: async (input) => described(await invite(input, '', context)),
    listInvitations: async (filter) => (await listInvitations(database, filter)).map(described),
    resendInvitation: async (id) => {
      const known = await findInvitation(database, id)
      const sent = known && (await resend(known, context))
      return sent && described(sent)
    },
    revokeInvitation: (id) =>
      store.transaction<AuthTables, boolean>((transaction) => deleteInvitation(transaction, id)),
  }
}

/** Invitations of one scope. */
export interface ScopedInvitations {
  invite(input: NewInvitation): Promise<Invitation>
  list(range: { readonly limit: number; readonly offset: number }): Promise<readonly Invitation[]>
  /** @returns undefined when the scope has no such invitation. */
  find(id: string): Promise<StoredInvitation | undefined>
  resend(invitation: StoredInvitation): Promise<Invitation | undefined>
  revoke(id: string): Promise<boolean>
}

/** @param scope not empty. */
export function createScopedInvitations(scope: string, context: AuthContext): ScopedInvitations {
  const { settings, engine, database, store, throttle } = context
  const described = (invitation: StoredInvitation) =>
    describeInvitation(invitation, unknownRoles(invitation, settings, engine))
  const find = async (id: string) => {
    const found = await findInvitation(database, id)
    return found?.scope === scope ? found : undefined
  }
  return {
    invite: async (input) => described(await invite(input, scope, context)),
    list: async (range) =>
      (await listInvitations(database, { ...range, scope })).map((each) => described(each)),
    find,
    resend: async (invitation) => {
      await throttle.invitation(invitation.emailKey)
      const sent = await resend(invitation, context)
      return sent && described(sent)
    },
    revoke: async (id) => {
      if ((await find(id)) === undefined) return false
      return store.transaction<AuthTables, boolean>((transaction) =>
        deleteInvitation(transaction, id),
      )
    },
  }
}

/** @param scope empty: of administrators. */
async function invite(
  input: NewInvitation,
  scope: string,
  context: AuthContext,
): Promise<StoredInvitation> {
  const nowMs = context.clock()
  const { lifetimeMs, ...checked } = await readInvitation(input, scope, context)
  if (scope !== '') await context.throttle.invitation(checked.emailKey)
  const invitation: StoredInvitation = {
    ...checked,
    id: randomUUID(),
    scope,
    lifetimeMs,
    createdAtMs: nowMs,
    sentAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
  }
  const token = await context.store
    .transaction<AuthTables, string>(async (transaction) => {
      await deleteExpired(transaction, invitation, nowMs)
      await insertInvitation(transaction, invitation)
      return newToken(transaction, invitation, nowMs)
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      const message = 'This address is invited already: resend or revoke the invitation.'
      throw new GatewayError('conflict', message)
    })
  await sendMail(invitation, token, context)
  return invitation
}

async function readInvitation(
  { email: given, name = '', roles, fields = {}, expiresIn }: NewInvitation,
  scope: string,
  { settings, engine, accounts }: AuthContext,
): Promise<
  Pick<StoredInvitation, 'email' | 'emailKey' | 'name' | 'roles' | 'fields' | 'lifetimeMs'>
> {
  const email = parseEmail(given, settings.signUp.allowUtf8Email)
  if (email === undefined) throw invalidInput('email must be an e-mail address.')
  const lifetimeMs =
    expiresIn === undefined ? tokenLifetimesMs.acceptInvitation : parseDuration(expiresIn)
  if (lifetimeMs === undefined || lifetimeMs < shortestMs || lifetimeMs > longestMs) {
    throw invalidInput('expiresIn must be a duration such as "7d", from "1m" to "90d".')
  }
  if (roles !== undefined && givesRoles(settings)) {
    throw invalidInput('roles: those of a user are in its row here; give them in fields.')
  }
  const [unknown] = unknownRoles({ roles, fields }, settings, engine)
  if (unknown !== undefined) {
    const hint = scope === '' ? hintOf(unknown, knownRoles(engine.settings, settings)) : '.'
    throw invalidInput(`roles: the configuration names no role "${unknown}"${hint}`)
  }
  checkFields(fields, settings.userTable, engine)
  try {
    // The answer to an action is that for an unknown address, whether or not it has an account.
    await accounts.checkRow(scope === '' ? email.key : undefined, fields)
  } catch (error) {
    throw asInvalidField(error)
  }
  const person = { email: email.address, emailKey: email.key, name: checkName(name) }
  return { ...person, roles, fields, lifetimeMs }
}

/** For administrators alone: names of roles are not for callers of actions. */
function hintOf(role: string, known: ReadonlySet<string>): string {
  const hint = suggestion(role, known)
  if (hint !== '') return hint
  return known.size === 0 ? '.' : `: it names ${[...known].sort().join(', ')}.`
}

/** An invitation that has expired is replaced by a new one for its address. */
async function deleteExpired(
  transaction: AuthDatabase,
  { emailKey, scope }: StoredInvitation,
  nowMs: number,
): Promise<void> {
  await transaction
    .deleteFrom('engine_account_invitations')
    .where('email_key', '=', emailKey)
    .where('scope', '=', scope)
    .where('expires_at', '<=', nowMs)
    .execute()
}

/** A new mail with a new token; earlier ones are invalid from now on. @returns undefined when it was revoked or accepted. */
async function resend(
  known: StoredInvitation,
  context: AuthContext,
): Promise<StoredInvitation | undefined> {
  const nowMs = context.clock()
  const invitation = { ...known, sentAtMs: nowMs, expiresAtMs: nowMs + known.lifetimeMs }
  const token = await context.store.transaction<AuthTables, string | undefined>(
    async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('engine_account_invitations')
        .set({ sent_at: nowMs, expires_at: invitation.expiresAtMs })
        .where('id', '=', known.id)
        .executeTakeFirst()
      return numUpdatedRows === 1n ? newToken(transaction, invitation, nowMs) : undefined
    },
  )
  if (token === undefined) return undefined
  await sendMail(invitation, token, context)
  return invitation
}

/** The only token of an invitation that is valid. */
async function newToken(
  transaction: AuthDatabase,
  { id, emailKey, lifetimeMs }: StoredInvitation,
  nowMs: number,
): Promise<string> {
  const holder = { userId: id, emailKey }
  await deleteTokensOf(transaction, 'acceptInvitation', id)
  const { token } = await makeToken(transaction, 'acceptInvitation', holder, nowMs, lifetimeMs)
  return token
}

function sendMail(
  { email, name, expiresAtMs }: StoredInvitation,
  token: string,
  { mailer }: AuthContext,
): Promise<void> {
  return mailer.send('invitation', { email, name, token, expiresAtMs })
}
