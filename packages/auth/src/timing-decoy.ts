import { randomUUID } from 'node:crypto'
import type { AuthContext } from './auth-context.ts'
import type { AuthTables } from './auth-tables.ts'
import { makeToken, type TokenPurpose } from './one-time-tokens/one-time-token.ts'

/**
 * The work of a mail with a token, for nobody. Where there is no account to write to, the service is as busy as if there
 * were: otherwise the time of the next request would tell, since a commit on SQLite keeps everybody waiting.
 */
export async function sendDecoy(purpose: TokenPurpose, context: AuthContext): Promise<void> {
  await makeDecoyToken(purpose, context)
  await context.mailer.sendDecoy()
}

/** A token that nobody knows, of no account; it is swept away when it ends. */
export async function makeDecoyToken(
  purpose: TokenPurpose,
  { store, clock }: AuthContext,
): Promise<void> {
  const decoy = { userId: randomUUID(), emailKey: '' }
  await store.transaction<AuthTables, unknown>((transaction) =>
    makeToken(transaction, purpose, decoy, clock()),
  )
}
