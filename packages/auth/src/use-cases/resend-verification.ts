import type { ClientInfo } from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { mailByAddress } from './mail-by-address.ts'
import { sendVerification } from './send-verification.ts'
import { sendDecoy } from './timing-decoy.ts'

/** `POST /auth/resend-verification`. Answers like `forgotPassword`, and shares its throttle. */
export async function resendVerification(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  await mailByAddress(body, client, context, {
    task: 'a verification mail',
    event: 'email-verification-requested',
    send: (credentials) =>
      credentials !== undefined && mayVerify(credentials.account)
        ? sendVerification(credentials, context)
        : sendDecoy('verifyEmail', context),
  })
}

function mayVerify({ emailVerified, isDisabled }: Account): boolean {
  return !emailVerified && !isDisabled
}
