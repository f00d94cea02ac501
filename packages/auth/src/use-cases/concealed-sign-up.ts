/** @module Sign-up where known addresses are concealed: the answer is given before anything is looked up. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { SessionResponse } from '@engine/contract'
import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import { type Account, userOf } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import type { EmailAddress } from '../input/email-address.ts'
import { wholeSeconds } from '../sessions/session-store.ts'
import { sendReset } from './forgot-password.ts'
import { rolesInToken, sessionOf } from './open-session.ts'
import { sendVerification } from './send-verification.ts'
import { makeDecoyToken } from './timing-decoy.ts'

/** A person who signs up, as in the request. */
export interface Visitor {
  readonly email: EmailAddress
  readonly name: string
}

/**
 * Answers a sign-up without a session. The account is made after the answer, or its owner gets a mail: neither what the
 * databases contain nor what they refuse alters the answer.
 *
 * @throws {GatewayError} `unavailable` while too many sign-ups wait, whichever addresses they have.
 */
export async function signUpConcealed(
  visitor: Visitor & { readonly passwordHash: string },
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const isAdded = context.background.add('a sign-up', () => enter(visitor, client, context))
  if (!isAdded) {
    throw new GatewayError('unavailable', 'Accounts cannot be made at the moment.')
  }
  return withoutSession(visitor, context)
}

/** A new account writes a row, a token and a mail; the same amount is written for an address that is known. */
async function enter(
  visitor: Visitor & { readonly passwordHash: string },
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { settings, accounts, record, clock } = context
  const created = await accounts.signUp({ ...visitor, nowMs: clock() })
  if (created !== undefined) {
    await record(client, 'sign-up', { account: created.account })
    return sendVerification(created, context)
  }
  const { email } = visitor
  const linked = settings.userTable?.linkByEmail ? await accounts.adoptRow(email.key) : undefined
  if (linked !== undefined) {
    const reason = 'a row of the user table has the address'
    await record(client, 'sign-up', { account: linked.account, reason })
    return sendReset(linked, context)
  }
  await record(client, 'sign-up-refused', { email: email.address, reason: 'address is taken' })
  await tellOwner(email, context)
}

async function tellOwner({ key }: EmailAddress, context: AuthContext): Promise<void> {
  const { accountStore, mailer } = context
  await makeDecoyToken('verifyEmail', context)
  await makeDecoyToken('verifyEmail', context)
  const owner = await accountStore.findByEmail(key)
  if (owner === undefined) await mailer.sendDecoy()
  else await mailer.send('accountExists', { email: owner.email, name: owner.name })
}

/**
 * The answer to a sign-up whose account is not revealed: it repeats the request, its token belongs to no session. Its id is
 * random: keys of a user table may look different.
 */
export async function withoutSession(
  { email, name }: Visitor,
  { settings, tokens, clock }: AuthContext,
): Promise<SessionResponse> {
  const nowMs = clock()
  const account: Account = {
    id: randomUUID(),
    email: email.address,
    name,
    emailVerified: false,
    isDisabled: false,
    roles: undefined,
    createdAtMs: nowMs,
  }
  const expiresAtMs = wholeSeconds(nowMs + settings.session.expiresInMs)
  const token = await tokens.issue({
    userId: account.id,
    sessionId: randomBytes(16).toString('base64url'),
    authTimeMs: nowMs,
    expiresAtMs,
    ...rolesInToken(undefined, settings),
  })
  return { user: userOf(account), session: sessionOf(token, expiresAtMs) }
}
