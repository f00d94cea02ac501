import type { Authenticated, ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { type Password, readPassword } from '../passwords/password.ts'
import { unauthorized } from '../unauthorized.ts'
import { checkPassword } from './check-password.ts'

/**
 * E-mail address and password, without creating a session: for the wire protocol. `renew` checks that the account may
 * still log in, and refuses when all its sessions were ended meanwhile: by a new password, or by an administrator.
 *
 * @throws {GatewayError} as `checkPassword`; `invalidInput` for an invalid password.
 */
export async function authenticatePassword(
  email: string,
  password: string,
  client: ClientInfo,
  context: AuthContext,
): Promise<Authenticated> {
  const { accountStore, callers, recentLogins } = context
  const given = readPassword({ password }, 'password')
  const known = await knownLogin(email, given, context)
  const { account, epoch } = known ?? (await checkPassword(email, given, client, context))
  if (known === undefined) {
    recentLogins.remember(email, given.normalized, { accountId: account.id, epoch })
  }
  const renew = async (): Promise<Authenticated> => {
    const current = await accountStore.credentialsById(account.id)
    if (current?.epoch !== epoch) throw unauthorized('The sessions of the account were ended.')
    return { ...(await callers.ofAccount(current.account)), renew }
  }
  return { ...(await callers.ofAccount(account)), renew }
}

/**
 * Pools open many connections at once: a password that was recently right is not hashed again while the account is
 * unchanged.
 */
async function knownLogin(
  email: string,
  { normalized }: Password,
  { accountStore, recentLogins, settings }: AuthContext,
): Promise<Credentials | undefined> {
  const recent = recentLogins.find(email, normalized)
  const current = recent && (await accountStore.credentialsById(recent.accountId))
  if (current === undefined || current.epoch !== recent?.epoch) return undefined
  const { isDisabled, emailVerified } = current.account
  return isDisabled || (settings.emailVerification && !emailVerified) ? undefined : current
}
