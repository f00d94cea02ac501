import { GatewayError } from '@engine/core'
import type { ClientInfo } from '@engine/core/server'
import type { AuthAction, AuthContext } from '../auth-context.ts'
import { findToken, type TokenHolder, type TokenPurpose } from './one-time-token.ts'

/**
 * Returns the account of a token; the token stays valid.
 *
 * @throws {GatewayError} `invalidToken` (400), the same for unknown, used and expired tokens and those of another purpose;
 *   `rateLimited` after too many of these.
 */
export async function tokenHolder(
  purpose: TokenPurpose,
  token: string,
  client: ClientInfo,
  context: AuthContext,
): Promise<TokenHolder> {
  const { database, throttle, clock } = context
  await throttle.token(client)
  const holder = await findToken(database, purpose, token, clock())
  if (holder === undefined) throw await refuseToken(purpose, client, context)
  return holder
}

/** Counts the failure. @returns the error to throw. */
export async function refuseToken(
  purpose: TokenPurpose,
  client: ClientInfo,
  { throttle, record }: AuthContext,
): Promise<GatewayError> {
  await throttle.tokenFailed(client)
  await record(client, failures[purpose], { reason: 'invalid token' })
  return new GatewayError('invalidToken', 'The token is invalid or expired.')
}

const failures: Readonly<Record<TokenPurpose, AuthAction>> = {
  resetPassword: 'password-reset-failed',
  verifyEmail: 'email-verification-failed',
  acceptInvitation: 'invitation-failed',
}
