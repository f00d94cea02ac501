import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { makeToken, type OneTimeToken } from '../one-time-tokens/one-time-token.ts'
import type { AuthTables } from '../store/auth-tables.ts'

/** Queues the mail with the verification token of an account. */
export async function sendVerification(
  { account, emailKey }: Credentials,
  { store, mailer, clock }: AuthContext,
): Promise<void> {
  const { token, expiresAtMs } = await store.transaction<AuthTables, OneTimeToken>((transaction) =>
    makeToken(transaction, 'verifyEmail', { userId: account.id, emailKey }, clock()),
  )
  const { email, name } = account
  await mailer.send('verifyEmail', { email, name, token, expiresAtMs })
}
