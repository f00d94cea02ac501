/** @module Routes of those who were invited. */
import type { InvitationResponse, SessionResponse } from '@engine/contract'
import { GatewayError, type Problem } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import { isUniqueViolation } from '@engine/core/store'
import { type Credentials, isoTime } from '../accounts/account.ts'
import { insertAccount } from '../accounts/account-store.ts'
import type { Place } from '../accounts/accounts.ts'
import type { AuthContext } from '../auth-context.ts'
import { givesRoles } from '../callers/make-caller.ts'
import { type EmailAddress, parseEmail } from '../input/email-address.ts'
import { checkName } from '../input/person-name.ts'
import { readBodyObject, readOptionalText, readText } from '../input/read-input.ts'
import { consumeToken, deleteTokensOf } from '../one-time-tokens/one-time-token.ts'
import { refuseToken, tokenHolder } from '../one-time-tokens/use-token.ts'
import { readPassword } from '../passwords/password.ts'
import { endSessions } from '../sessions/session-store.ts'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'
import { openSession } from '../use-cases/open-session.ts'
import { deleteInvitation, findInvitation, type StoredInvitation } from './invitation-store.ts'
import { unknownRoles } from './invited-roles.ts'

/** `POST /auth/invitation`: whom a token invites. The token stays valid. */
export async function showInvitation(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<InvitationResponse> {
  const token = readText(readBodyObject(body), 'token')
  const { email, name, expiresAtMs } = await invitationOf(token, client, context)
  return { invitation: { email, name, expiresAt: isoTime(expiresAtMs) } }
}

/**
 * `POST /auth/accept-invitation`. The holder of the token reads the mailbox of the invited address: the account of that address,
 * new or not, gets the password, the roles and the fields of its row, and counts as verified. An earlier password of the
 * account, and the sessions that were opened with it, end. A password that is refused does not use up the token.
 */
export async function acceptInvitation(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const { policy, hasher, throttle, record } = context
  const input = readBodyObject(body)
  const token = readText(input, 'token')
  const password = readPassword(input, 'password')
  const givenName = readOptionalText(input, 'name')
  const name = givenName === undefined ? undefined : checkName(givenName)
  policy.checkLength(password, 'password')
  const invitation = await invitationOf(token, client, context)
  const owner = { email: invitation.emailKey, name: name ?? invitation.name }
  await policy.check(password, 'password', owner)
  const passwordHash = await hasher.hash(password)
  const accepted = await enter({ invitation, token, name, passwordHash }, context)
  if (accepted === undefined) throw await refuseToken('acceptInvitation', client, context)
  await throttle.passwords.forgive(invitation.emailKey)
  const { answer, sessionId } = await openSession(accepted, client, context)
  await record(client, 'invitation-accepted', { account: accepted.account, sessionId })
  return answer
}

/**
 * @throws {GatewayError} `invalidToken` for every token that is not of an invitation; `conflict` when the configuration has
 *   changed since the invitation was sent; `rateLimited`.
 */
async function invitationOf(
  token: string,
  client: ClientInfo,
  context: AuthContext,
): Promise<StoredInvitation> {
  const { settings, engine, database } = context
  const { userId: id } = await tokenHolder('acceptInvitation', token, client, context)
  const invitation = await findInvitation(database, id)
  if (invitation === undefined) throw await refuseToken('acceptInvitation', client, context)
  const lost = unknownRoles(invitation, settings, engine)
  if (lost.length > 0) {
    throw unfit(
      invitation,
      { roles: lost, reason: 'the configuration names no such role' },
      context,
    )
  }
  if (invitation.roles !== undefined && givesRoles(settings)) {
    const reason = 'roles of users are in their rows now'
    throw unfit(invitation, { roles: invitation.roles, reason }, context)
  }
  return invitation
}

/** Errors after which the same invitation may be accepted. */
const passing: ReadonlySet<Problem> = new Set([
  'emailExists',
  'unavailable',
  'queryTimeout',
  'rateLimited',
])

/** Logs why an invitation cannot be accepted. @returns the error for the person, who can do nothing but ask. */
function unfit(
  { id, scope, fields }: StoredInvitation,
  facts: object,
  { log }: AuthContext,
): GatewayError {
  // Names only: the values of a row are data.
  const columns = Object.keys(fields)
  log.warn({ invitation: id, scope, columns, ...facts }, 'an invitation cannot be accepted')
  return new GatewayError(
    'conflict',
    'This invitation cannot be accepted any more. Please ask for a new one.',
  )
}

interface Acceptance {
  readonly invitation: StoredInvitation
  readonly token: string
  /** undefined: that of the invitation. */
  readonly name: string | undefined
  readonly passwordHash: string
}

/** How often another request may take the address meanwhile. */
const tries = 3

/**
 * Token, account, roles and password change in one transaction. The row of the user table is in another database: it is made
 * before, and removed again when the transaction fails.
 *
 * @returns undefined when the token was used or revoked meanwhile, or no account can be that of the address.
 */
async function enter(
  acceptance: Acceptance,
  context: AuthContext,
): Promise<Credentials | undefined> {
  const { accountStore, store } = context
  const email = parseEmail(acceptance.invitation.email, true)
  if (email === undefined) return undefined
  for (let i = 0; i < tries; i++) {
    const place = await placeOf({ ...acceptance, email }, context)
    if (place === undefined) return undefined
    try {
      const isDone = await store.transaction<AuthTables, boolean>((transaction) =>
        writeAccount(transaction, acceptance, place, context),
      )
      if (isDone) {
        tellOwner(place, context)
        return await accountStore.credentialsById(place.id)
      }
      await place.undo()
      return undefined
    } catch (error) {
      await place.undo()
      // Another account has the address since: it is the account of the address now.
      if (!isUniqueViolation(error)) throw error
    }
  }
  return undefined
}

/** @throws {GatewayError} `conflict` when the row does not fit the user table, with the cause in the log; those of `place`. */
async function placeOf(
  { invitation, name, email }: Acceptance & { readonly email: EmailAddress },
  context: AuthContext,
): Promise<Place | undefined> {
  const { fields, scope } = invitation
  try {
    return await context.accounts.place({
      email,
      name: name ?? invitation.name,
      fields,
      isOnlyNew: scope !== '',
    })
  } catch (err) {
    if (!(err instanceof GatewayError) || passing.has(err.problem)) throw err
    throw unfit(invitation, { err }, context)
  }
}

async function writeAccount(
  transaction: AuthDatabase,
  acceptance: Acceptance,
  { id, email, known }: Place,
  { clock }: AuthContext,
): Promise<boolean> {
  const { invitation, token, passwordHash } = acceptance
  const nowMs = clock()
  if (!(await consumeToken(transaction, 'acceptInvitation', token, nowMs))) return false
  if (!(await deleteInvitation(transaction, invitation.id))) return false
  if (known !== undefined) return takeOver(transaction, acceptance, known)
  await insertAccount(transaction, {
    id,
    email,
    name: acceptance.name ?? invitation.name,
    emailVerified: true,
    roles: invitation.roles,
    passwordHash,
    createdAtMs: nowMs,
  })
  return true
}

/** @returns false when the account was deleted or disabled, or has another address since. */
async function takeOver(
  transaction: AuthDatabase,
  { invitation, name, passwordHash }: Acceptance,
  { account: { id, ...before }, emailKey }: Credentials,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('engine_users')
    .set((row) => ({
      password_hash: passwordHash,
      email_verified: 1,
      name: name ?? (invitation.name || before.name),
      epoch: row('epoch', '+', 1),
      ...(invitation.roles === undefined ? {} : { roles: JSON.stringify(invitation.roles) }),
    }))
    .where('id', '=', id)
    .where('email_key', '=', emailKey)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await endSessions(transaction, { userId: id })
  await deleteTokensOf(transaction, 'resetPassword', id)
  await deleteTokensOf(transaction, 'verifyEmail', id)
  return true
}

/** A mail about the new password, where there was another one. */
function tellOwner({ known }: Place, { background, mailer }: AuthContext): void {
  if (known?.passwordHash === undefined) return
  const { email, name } = known.account
  background.add('a mail about a new password', () =>
    mailer.send('passwordChanged', { email, name }),
  )
}
