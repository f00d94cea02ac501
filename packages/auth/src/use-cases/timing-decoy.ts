import { randomUUID } from 'node:crypto'
import type { AuthContext } from '../auth-context.ts'
import { makeToken, type TokenPurpose } from '../one-time-tokens/one-time-token.ts'
import type { AuthTables } from '../store/auth-tables.ts'

/**
 * Does the work of a mail with a token, without an account. Otherwise the time of the next request would reveal whether the
 * account exists, since a commit on SQLite delays all other requests.
 */
export async function sendDecoy(purpose: TokenPurpose, context: AuthContext): Promise<void> {
  await makeDecoyToken(purpose, context)
  await context.mailer.sendDecoy()
}

/** Stores a random token that belongs to no account. It is removed when it expires. */
export async function makeDecoyToken(
  purpose: TokenPurpose,
  { store, clock }: AuthContext,
): Promise<void> {
  const decoy = { userId: randomUUID(), emailKey: '' }
  await store.transaction<AuthTables, unknown>((transaction) =>
    makeToken(transaction, purpose, decoy, clock()),
  )
}
