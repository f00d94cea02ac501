/** @module The session or the account that a valid token belongs to. */
import type { AuthSettings } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { parseEmail } from '../input/email-address.ts'
import type { LiveSession, SessionStore } from '../sessions/session-store.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import type { Identity } from './identity.ts'
import { tokenIdentity } from './token-identity.ts'
import { createTokenStateReader } from './token-state.ts'

export interface TokenOwners {
  /** @throws {GatewayError} `unauthorized` when it has ended, or is another account's. */
  liveSession(id: string, token: VerifiedToken): Promise<LiveSession>
  /**
   * The identity of a token that was created elsewhere.
   *
   * @throws {GatewayError} `unauthorized` when it was signed out, or its account is disabled.
   */
  foreignIdentity(token: VerifiedToken): Promise<Identity>
}

export interface TokenOwnersOptions {
  readonly settings: AuthSettings
  readonly store: Store
  readonly accounts: Pick<AccountStore, 'findByEmail'>
  readonly sessions: Pick<SessionStore, 'find'>
}

export function createTokenOwners(options: TokenOwnersOptions): TokenOwners {
  const { settings, store, sessions } = options
  const readTokenState = createTokenStateReader(store)

  const accountOf = async (token: VerifiedToken): Promise<Account | undefined> => {
    const { fingerprint, issuer, subject } = token
    const state = await readTokenState(fingerprint, issuer === undefined ? subject : undefined)
    if (state.isDenied) throw unauthorized('The bearer token was signed out.')
    const account = state.account ?? (await linkedAccount(token, options))
    if (account?.isDisabled) throw unauthorized('The account is disabled.')
    return account
  }

  return {
    liveSession: async (id, token) => {
      const session = await sessions.find(id)
      if (session === undefined) throw unauthorized('The session has ended.')
      const { account } = session
      if (account.id !== token.subject || account.isDisabled) {
        throw unauthorized('The bearer token does not belong to its session.')
      }
      return session
    },
    foreignIdentity: async (token) => tokenIdentity(token, await accountOf(token), settings),
  }
}

/**
 * Both sides must have verified that the mailbox belongs to this user: anyone can sign up with another user's
 * address.
 */
async function linkedAccount(
  { issuer, claims }: VerifiedToken,
  { settings, accounts }: TokenOwnersOptions,
): Promise<Account | undefined> {
  const { email, email_verified: isVerified } = claims
  if (!issuer?.linkByEmail || isVerified !== true || typeof email !== 'string') return undefined
  const address = parseEmail(email, settings.signUp.allowUtf8Email)
  const account = address && (await accounts.findByEmail(address.key))
  return account?.emailVerified ? account : undefined
}
