import type { ClientInfo } from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import { emailKey } from './check-password.ts'
import { sendVerification } from './send-verification.ts'
import { sendDecoy } from './timing-decoy.ts'

/** `POST /auth/resend-verification`. Answers like `forgotPassword`, and shares its throttle. */
export async function resendVerification(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { settings, accounts, throttle, background, record } = context
  const given = readText(readBodyObject(body), 'email')
  const key = emailKey(given, settings.signUp.allowUtf8Email)
  await throttle.forgotPassword(client, key ?? given)
  background.add('a verification mail', async () => {
    await record(client, 'email-verification-requested', { email: given })
    const credentials = key === undefined ? undefined : await accounts.findOrAdopt(key)
    if (credentials === undefined || !mayVerify(credentials.account)) {
      await sendDecoy('verifyEmail', context)
    } else {
      await sendVerification(credentials, context)
    }
  })
}

function mayVerify({ emailVerified, isDisabled }: Account): boolean {
  return !emailVerified && !isDisabled
}
