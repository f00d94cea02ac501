import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import {
  consumeToken,
  deleteTokensOf,
  type TokenHolder,
} from '../one-time-tokens/one-time-token.ts'
import { refuseToken, tokenHolder } from '../one-time-tokens/use-token.ts'
import { readPassword } from '../passwords/password.ts'
import { endSessions } from '../sessions/session-store.ts'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'

/**
 * `POST /auth/reset-password`. A password that is refused does not use up the token. Ends all sessions, creates none,
 * and counts the address as verified: its owner read the mail.
 */
export async function resetPassword(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { policy, hasher, store, accountStore, throttle, mailer, record, clock } = context
  const input = readBodyObject(body)
  const token = readText(input, 'token')
  const password = readPassword(input, 'password')
  policy.checkLength(password, 'password')
  const holder = await tokenHolder('resetPassword', token, client, context)
  const credentials = await accountStore.credentialsById(holder.userId)
  if (credentials === undefined || credentials.account.isDisabled) {
    throw await refuseToken('resetPassword', client, context)
  }
  const { account } = credentials
  await policy.check(password, 'password', { email: credentials.emailKey, name: account.name })
  const hash = await hasher.hash(password)
  const isDone = await store.transaction<AuthTables, boolean>(async (transaction) => {
    if (!(await consumeToken(transaction, 'resetPassword', token, clock()))) return false
    return storeNewPassword(transaction, holder, hash)
  })
  if (!isDone) throw await refuseToken('resetPassword', client, context)
  await throttle.passwords.forgive(credentials.emailKey)
  await record(client, 'password-reset', { account })
  context.background.add('a mail about a new password', () =>
    mailer.send('passwordChanged', { email: account.email, name: account.name }),
  )
}

/** @returns false when the account was deleted, disabled, or has another address since. */
async function storeNewPassword(
  transaction: AuthDatabase,
  { userId, emailKey }: TokenHolder,
  hash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('engine_users')
    .set((row) => ({ password_hash: hash, email_verified: 1, epoch: row('epoch', '+', 1) }))
    .where('id', '=', userId)
    .where('email_key', '=', emailKey)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await endSessions(transaction, { userId })
  await deleteTokensOf(transaction, 'resetPassword', userId)
  await deleteTokensOf(transaction, 'verifyEmail', userId)
  return true
}
