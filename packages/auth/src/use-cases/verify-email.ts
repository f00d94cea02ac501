import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import { consumeToken, deleteTokensOf } from '../one-time-tokens/one-time-token.ts'
import { refuseToken, tokenHolder } from '../one-time-tokens/use-token.ts'
import type { AuthTables } from '../store/auth-tables.ts'

/** `POST /auth/verify-email`. */
export async function verifyEmail(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<void> {
  const { store, accountStore, throttle, record, clock } = context
  const token = readText(readBodyObject(body), 'token')
  const { userId, emailKey } = await tokenHolder('verifyEmail', token, client, context)
  const isDone = await store.transaction<AuthTables, boolean>(async (transaction) => {
    if (!(await consumeToken(transaction, 'verifyEmail', token, clock()))) return false
    const { numUpdatedRows } = await transaction
      .updateTable('engine_users')
      .set({ email_verified: 1 })
      .where('id', '=', userId)
      .where('email_key', '=', emailKey)
      .where('disabled', '=', 0)
      .executeTakeFirst()
    await deleteTokensOf(transaction, 'verifyEmail', userId)
    return numUpdatedRows === 1n
  })
  if (!isDone) throw await refuseToken('verifyEmail', client, context)
  // Where addresses are concealed, sign-ins before this counted as failures.
  await throttle.passwords.forgive(emailKey)
  const account = await accountStore.findById(userId)
  await record(client, 'email-verified', account === undefined ? {} : { account })
}
