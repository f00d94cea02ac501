import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import { makeToken, type OneTimeToken } from '../one-time-tokens/one-time-token.ts'
import type { AuthTables } from '../store/auth-tables.ts'
import { emailKey } from './check-password.ts'
import { sendDecoy } from './timing-decoy.ts'

/** `POST /auth/forgot-password`. The account is looked up after the answer. */
export async function forgotPassword(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { settings, accounts, throttle, background, record } = context
  const given = readText(readBodyObject(body), 'email')
  const key = emailKey(given, settings.signUp.allowUtf8Email)
  await throttle.forgotPassword(client, key ?? given)
  background.add('a password reset', async () => {
    await record(client, 'password-reset-requested', { email: given })
    const credentials = key === undefined ? undefined : await accounts.findOrAdopt(key)
    if (credentials === undefined) await sendDecoy('resetPassword', context)
    else await sendReset(credentials, context)
  })
}

/** Queues the mail with the reset token of an account. Disabled accounts get none. */
export async function sendReset(
  { account, emailKey: key }: Credentials,
  context: AuthContext,
): Promise<void> {
  if (account.isDisabled) return sendDecoy('resetPassword', context)
  const { store, mailer, clock } = context
  const { token, expiresAtMs } = await store.transaction<AuthTables, OneTimeToken>((transaction) =>
    makeToken(transaction, 'resetPassword', { userId: account.id, emailKey: key }, clock()),
  )
  const { email, name } = account
  await mailer.send('resetPassword', { email, name, token, expiresAtMs })
}
