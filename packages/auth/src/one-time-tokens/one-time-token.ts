/** @module Tokens in e-mails: 256 random bits, stored as a digest, valid once for one purpose. */
import { hash, randomBytes } from 'node:crypto'
import type { AuthDatabase } from '../store/auth-tables.ts'

export type TokenPurpose = 'resetPassword' | 'verifyEmail' | 'acceptInvitation'

const hour = 3_600_000

export const tokenLifetimesMs: Readonly<Record<TokenPurpose, number>> = {
  resetPassword: hour,
  verifyEmail: 24 * hour,
  acceptInvitation: 7 * 24 * hour,
}

/** Maximum tokens of one account and purpose; the oldest is deleted. */
const maxLive = 3

export interface OneTimeToken {
  /** 43 characters; the text in the e-mail. */
  readonly token: string
  readonly expiresAtMs: number
}

/** The owner of a token. */
export interface TokenHolder {
  /** Of the account; of the invitation for `acceptInvitation`. */
  readonly userId: string
  readonly emailKey: string
}

/** Run it in a transaction. */
export async function makeToken(
  database: AuthDatabase,
  purpose: TokenPurpose,
  { userId, emailKey }: TokenHolder,
  nowMs: number,
  lifetimeMs: number = tokenLifetimesMs[purpose],
): Promise<OneTimeToken> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = nowMs + lifetimeMs
  await database
    .insertInto('engine_one_time_tokens')
    .values({
      token_hash: tokenHash(token),
      purpose,
      user_id: userId,
      email_key: emailKey,
      created_at: nowMs,
      expires_at: expiresAtMs,
    })
    .execute()
  const surplus = await database
    .selectFrom('engine_one_time_tokens')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('token_hash', '!=', tokenHash(token))
    .orderBy('created_at', 'desc')
    .limit(100)
    .offset(maxLive - 1)
    .execute()
  if (surplus.length > 0) {
    const hashes = surplus.map((row) => row.token_hash)
    await database.deleteFrom('engine_one_time_tokens').where('token_hash', 'in', hashes).execute()
  }
  return { token, expiresAtMs }
}

/**
 * Checks a token without using it up. @returns undefined for unknown, used and expired tokens, and those of another
 * purpose.
 */
export async function findToken(
  database: AuthDatabase,
  purpose: TokenPurpose,
  token: string,
  nowMs: number,
): Promise<TokenHolder | undefined> {
  const row = await database
    .selectFrom('engine_one_time_tokens')
    .select(['user_id', 'email_key'])
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return row && { userId: row.user_id, emailKey: row.email_key }
}

/** Uses up a token, in one statement. @returns false for all but one of several concurrent callers. */
export async function consumeToken(
  database: AuthDatabase,
  purpose: TokenPurpose,
  token: string,
  nowMs: number,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('engine_one_time_tokens')
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteTokensOf(
  database: AuthDatabase,
  purpose: TokenPurpose,
  userId: string,
): Promise<void> {
  await database
    .deleteFrom('engine_one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute()
}

function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}
