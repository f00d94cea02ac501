import type { SessionResponse } from '@engine/contract'
import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { type EmailAddress, parseEmail } from '../input/email-address.ts'
import { checkName } from '../input/person-name.ts'
import { invalidInput, readBodyObject, readOptionalText, readText } from '../input/read-input.ts'
import { type Password, readPassword } from '../passwords/password.ts'
import { signUpConcealed, type Visitor, withoutSession } from './concealed-sign-up.ts'
import { sendReset } from './forgot-password.ts'
import { openSession } from './open-session.ts'
import { sendVerification } from './send-verification.ts'

/** `POST /auth/sign-up`. A password is hashed whether or not the address is taken. */
export async function signUp(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const { settings, accounts, hasher, throttle, clock } = context
  if (!settings.signUp.enabled) {
    throw new GatewayError('permissionDenied', 'Accounts are made by an administrator.')
  }
  const { email, name, password } = await readSignUp(body, context)
  await throttle.signUp(client)
  const passwordHash = await hasher.hash(password)
  if (settings.signUp.concealExisting) {
    return signUpConcealed({ email, name, passwordHash }, client, context)
  }
  const created = await accounts.signUp({ email, name, passwordHash, nowMs: clock() })
  if (created === undefined) {
    const linked = settings.userTable?.linkByEmail ? await accounts.adoptRow(email.key) : undefined
    if (linked !== undefined) return link(linked, { email, name }, client, context)
    return refuse(email, client, context)
  }
  if (sendsVerification(settings)) await sendVerification(created, context)
  const { answer, sessionId } = await openSession(created, client, context)
  await context.record(client, 'sign-up', { account: created.account, sessionId })
  return answer
}

async function readSignUp(
  body: unknown,
  { settings, policy }: AuthContext,
): Promise<Visitor & { readonly password: Password }> {
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

/**
 * The address is that of a row without an account. The reader of its mailbox gets the account by setting a password: the
 * password of this request may be that of another person. The answer contains no value of the row.
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
  return withoutSession(visitor, context)
}

async function refuse(
  { address }: EmailAddress,
  client: ClientInfo,
  { record }: AuthContext,
): Promise<never> {
  await record(client, 'sign-up-refused', { email: address, reason: 'address is taken' })
  throw new GatewayError('emailExists', 'There is an account with this e-mail address already.')
}
