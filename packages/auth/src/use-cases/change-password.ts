import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { Credentials } from '../accounts/account.ts'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject } from '../input/read-input.ts'
import { deleteTokensOf } from '../one-time-tokens/one-time-token.ts'
import { type Password, readPassword } from '../passwords/password.ts'
import { endSessions } from '../sessions/session-store.ts'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'
import { unauthorized } from '../unauthorized.ts'
import { ownSession } from './own-session.ts'

/** `POST /auth/change-password`. The session that sends it continues, the others end. */
export async function changePassword(
  token: string | undefined,
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { policy, hasher, store, accountStore, mailer, record } = context
  const { sid, account } = await ownSession(token, client, context)
  const input = readBodyObject(body)
  const current = readPassword(input, 'currentPassword')
  const password = readPassword(input, 'newPassword')
  policy.checkLength(password, 'newPassword')
  const credentials = await accountStore.credentialsById(account.id)
  if (credentials === undefined) throw unauthorized('The account is gone.')
  await requireCurrent(credentials, current, client, context)
  await policy.check(password, 'newPassword', { email: credentials.emailKey, name: account.name })
  const hash = await hasher.hash(password)
  const isDone = await store.transaction<AuthTables, boolean>((transaction) =>
    storeChangedPassword(transaction, credentials, hash, sid),
  )
  if (!isDone) throw unauthorized('The password was changed by somebody else meanwhile.')
  await record(client, 'password-changed', { account, sessionId: sid })
  context.background.add('a mail about a new password', () =>
    mailer.send('passwordChanged', { email: account.email, name: account.name }),
  )
}

/** Counted like sign-ins: a stolen token must not help to guess the password. */
async function requireCurrent(
  { account, emailKey, passwordHash }: Credentials,
  current: Password,
  client: ClientInfo,
  { throttle, hasher, record }: AuthContext,
): Promise<void> {
  const attempt = await throttle.passwords.begin(client, emailKey)
  let matches: boolean
  try {
    matches = (await hasher.verify(current, passwordHash)).matches
  } catch (error) {
    attempt.abandoned()
    throw error
  }
  if (matches) return attempt.succeeded()
  await attempt.failed()
  await record(client, 'password-change-failed', { account, reason: 'invalid credentials' })
  throw new GatewayError('invalidCredentials', 'The current password is wrong.')
}

/** @returns false when all sessions were ended, or this one, since the password was compared. */
async function storeChangedPassword(
  transaction: AuthDatabase,
  { account: { id }, epoch }: Credentials,
  hash: string,
  sid: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('engine_users')
    .set({ password_hash: hash, epoch: epoch + 1 })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await transaction
    .updateTable('engine_sessions')
    .set({ epoch: epoch + 1 })
    .where('sid', '=', sid)
    .execute()
  await endSessions(transaction, { userId: id, except: sid })
  await deleteTokensOf(transaction, 'resetPassword', id)
  return true
}
