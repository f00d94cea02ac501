import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { makeToken, type OneTimeToken } from '../one-time-tokens/one-time-token.ts'
import type { AuthTables } from '../store/auth-tables.ts'
import { mailByAddress } from './mail-by-address.ts'
import { sendDecoy } from './timing-decoy.ts'

/** `POST /auth/forgot-password`. The account is looked up after the answer. */
export async function forgotPassword(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  await mailByAddress(body, client, context, {
    task: 'a password reset',
    event: 'password-reset-requested',
    send: (credentials) =>
      credentials === undefined
        ? sendDecoy('resetPassword', context)
        : sendReset(credentials, context),
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
