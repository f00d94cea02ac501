import { randomBytes, randomUUID } from 'node:crypto'
import type { SessionResponse } from '@engine/contract'
import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import { type Credentials, userOf } from './accounts/account.ts'
import type { AuthContext } from './auth-context.ts'
import { type EmailAddress, parseEmail } from './email-address.ts'
import { sendReset } from './forgot-password.ts'
import { openSession, rolesInToken, sessionOf } from './open-session.ts'
import { type Password, readPassword } from './passwords/password.ts'
import { checkName } from './person-name.ts'
import { invalidInput, readBodyObject, readOptionalText, readText } from './read-input.ts'
import { sendVerification } from './send-verification.ts'
import { wholeSeconds } from './sessions/session-store.ts'
import { makeDecoyToken } from './timing-decoy.ts'

/** `POST /auth/sign-up`. A password is hashed whether or not the address is taken. */
export async function signUp(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const { settings, accounts, hasher, throttle, background, clock } = context
  if (!settings.signUp.enabled) {
    throw new GatewayError('permissionDenied', 'Accounts are made by an administrator.')
  }
  const { email, name, password } = await readSignUp(body, context)
  await throttle.signUp(client)
  const passwordHash = await hasher.hash(password)
  const created = await accounts.signUp({ email, name, passwordHash, nowMs: clock() })
  if (created === undefined) {
    const linked = settings.userTable?.linkByEmail ? await accounts.adoptRow(email.key) : undefined
    if (linked !== undefined) return link(linked, { email, name }, client, context)
    return refuse({ email, name }, client, context)
  }
  if (settings.signUp.concealExisting) {
    background.add('sending a verification mail', () => sendVerification(created, context))
    await context.record(client, 'sign-up', { account: created.account })
    return withoutSession(created, context)
  }
  if (sendsVerification(settings)) await sendVerification(created, context)
  const { answer, sessionId } = await openSession(created, client, context)
  await context.record(client, 'sign-up', { account: created.account, sessionId })
  return answer
}

async function readSignUp(
  body: unknown,
  { settings, policy }: AuthContext,
): Promise<{ readonly email: EmailAddress; readonly name: string; readonly password: Password }> {
  const input = readBodyObject(body)
  const email = parseEmail(readText(input, 'email'), settings.signUp.allowUtf8Email)
  if (email === undefined) throw invalidInput('email must be an e-mail address.')
  const password = readPassword(input, 'password')
  const name = checkName(readOptionalText(input, 'name') ?? '')
  await policy.check(password, 'password', { email: email.key, name })
  return { email, name, password }
}

/** True where verification is required, or mails have a page to link to, or mails are not sent at all. */
function sendsVerification({ emailVerification, urls, email }: AuthContext['settings']): boolean {
  return emailVerification || urls.verify !== undefined || email.smtp === undefined
}

interface Visitor {
  readonly email: EmailAddress
  readonly name: string
}

/**
 * The address is that of a row without an account. Who reads its mailbox gets the account by setting a password: the one
 * that was given now may be that of somebody else. The answer has nothing of the row.
 */
async function link(
  linked: Credentials,
  visitor: Visitor,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  context.background.add('a mail to the owner of a row', () => sendReset(linked, context))
  const reason = 'a row of the user table has the address'
  await context.record(client, 'sign-up', { account: linked.account, reason })
  return withoutSession(unverified(visitor, context), context)
}

/** The address is taken: either the answer says so, or only a mail to its owner does. */
async function refuse(
  visitor: Visitor,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const { settings, accountStore, mailer, record } = context
  const { email } = visitor
  await record(client, 'sign-up-refused', { email: email.address, reason: 'address is taken' })
  if (!settings.signUp.concealExisting) {
    throw new GatewayError('emailExists', 'There is an account with this e-mail address already.')
  }
  // A new account writes a row, a token and a mail: the same amount is written here.
  await makeDecoyToken('verifyEmail', context)
  await makeDecoyToken('verifyEmail', context)
  const owner = await accountStore.findByEmail(email.key)
  if (owner === undefined) await mailer.sendDecoy()
  else await mailer.send('accountExists', { email: owner.email, name: owner.name })
  return withoutSession(unverified(visitor, context), context)
}

/** What the answer says of a new account. */
function unverified(
  { email, name }: Visitor,
  { clock }: AuthContext,
): Pick<Credentials, 'account'> {
  const account = {
    id: randomUUID(),
    email: email.address,
    name,
    emailVerified: false,
    isDisabled: false,
    roles: undefined,
    createdAtMs: clock(),
  }
  return { account }
}

/** The answer to every sign-up where addresses are concealed: its token belongs to no session. */
async function withoutSession(
  { account }: Pick<Credentials, 'account'>,
  { settings, tokens, clock }: AuthContext,
): Promise<SessionResponse> {
  const nowMs = clock()
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
