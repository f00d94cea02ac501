/** @module Checks an address and a password, without revealing which of them is wrong. */

import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { Candidate } from '../accounts/accounts.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseEmail } from '../input/email-address.ts'
import type { Password } from '../passwords/password.ts'

/**
 * Checks a password with one hash in every case, so that the time reveals nothing. A hash with old parameters is replaced
 * when the password was right.
 *
 * @throws {GatewayError} `invalidCredentials` (401), `rateLimited` (429); `emailNotVerified` (403), only with the right
 *   password, and not where addresses are concealed: there the account of a sign-up would differ from that of another
 *   person, whose password is not that of the sign-up.
 */
export async function checkPassword(
  emailGiven: string,
  password: Password,
  client: ClientInfo,
  context: AuthContext,
): Promise<Credentials> {
  const { settings, record } = context
  const key = emailKey(emailGiven, settings.signUp.allowUtf8Email)
  const attempt = await throttled(emailGiven, client, context)
  let outcome: Credentials | undefined
  try {
    const candidate = key === undefined ? undefined : await context.accounts.candidate(key)
    outcome = await compare(candidate, password, context)
  } catch (error) {
    attempt.abandoned()
    throw error
  }
  if (outcome === undefined) {
    await attempt.failed()
    await record(client, 'sign-in-failed', { email: emailGiven, reason: 'invalid credentials' })
    throw wrongCredentials(settings)
  }
  const { account } = outcome
  const isUnverified = settings.emailVerification && !account.emailVerified
  const isConcealed = isUnverified && settings.signUp.concealExisting
  await (isConcealed ? attempt.failed() : attempt.succeeded())
  if (isUnverified) {
    await record(client, 'sign-in-failed', { account, reason: 'e-mail address not verified' })
    if (isConcealed) throw wrongCredentials(settings)
    throw new GatewayError('emailNotVerified', 'The e-mail address must be verified first.')
  }
  return outcome
}

function wrongCredentials({ signUp }: AuthContext['settings']): GatewayError {
  const also = signUp.concealExisting ? ', or the address is not verified yet' : ''
  const message = `The e-mail address or the password is wrong${also}.`
  return new GatewayError('invalidCredentials', message)
}

/** The key for looking up and counting a given address; undefined when it is not an address. */
export function emailKey(emailGiven: string, allowUtf8: boolean): string | undefined {
  return parseEmail(emailGiven, allowUtf8)?.key
}

async function throttled(emailGiven: string, client: ClientInfo, context: AuthContext) {
  const { throttle, settings, record } = context
  const counted = emailKey(emailGiven, settings.signUp.allowUtf8Email) ?? emailGiven
  try {
    return await throttle.passwords.begin(client, counted)
  } catch (error) {
    if (error instanceof GatewayError && error.problem === 'rateLimited') {
      await record(client, 'sign-in-throttled', { email: emailGiven })
    }
    throw error
  }
}

async function compare(
  candidate: Candidate | undefined,
  password: Password,
  { hasher, accountStore, callers }: AuthContext,
): Promise<Credentials | undefined> {
  const stored = candidate?.passwordHash
  const { matches, isOutdated } = await hasher.verify(password, stored)
  if (!matches || candidate === undefined || candidate.isDisabled) return undefined
  const credentials = await candidate.account()
  if (credentials === undefined || stored === undefined) return undefined
  if (!(await callers.isUser(credentials.account))) return undefined
  if (isOutdated) {
    await accountStore.replaceHash(credentials.account.id, stored, await hasher.hash(password))
  }
  return credentials
}
