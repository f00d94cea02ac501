import { type Caller, type Engine, GatewayError, type Log, type RateLimiter } from '@engine/core'
import {
  type Authenticated,
  type AuthSettings,
  addressKey,
  type ClientInfo,
  type JwtSettings,
  type Store,
} from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { apiKeyCaller } from '../api-keys/api-key-caller.ts'
import { apiKeyPrefix } from '../api-keys/api-key-format.ts'
import { type ApiKeys, createApiKeys, type VerifiedApiKey } from '../api-keys/api-keys.ts'
import { parseEmail } from '../input/email-address.ts'
import type { LiveSession, SessionStore } from '../sessions/session-store.ts'
import type { Claims } from '../tokens/check-claims.ts'
import type { Tokens } from '../tokens/create-tokens.ts'
import { createDeniedTokens } from '../tokens/denied-tokens.ts'
import { claimAt } from '../tokens/identifier.ts'
import { fingerprintOf, type VerifiedToken } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import { accountIdentity, type Identity } from './identity.ts'
import { createImpersonate, type Impersonate } from './impersonate.ts'
import { createKnownCallers, type KnownCallers, type Resolved } from './known-callers.ts'
import { createMakeCaller, openUserRows } from './make-caller.ts'
import { createRowOwner } from './row-owner.ts'
import { createSameCaller } from './same-caller.ts'
import { matchedField, tokenIdentity } from './token-identity.ts'
import { createTokenStateReader } from './token-state.ts'

/** A valid bearer token, and its session or account. */
export type Identified = IdentifiedSession | IdentifiedToken

export interface IdentifiedSession {
  readonly kind: 'session'
  readonly session: LiveSession
  readonly claims: Claims
  /** End of the token, milliseconds since 1970. */
  readonly expiresAtMs: number
}

/** A token that was created elsewhere. */
export interface IdentifiedToken {
  readonly kind: 'token'
  /** Id of the caller; see `Identity`. */
  readonly id: string
  readonly claims: Claims
  /**
   * An account of this service: of the token's subject or the claim that names its row, when our secret signed the token,
   * or by its verified e-mail address.
   */
  readonly account: Account | undefined
  readonly expiresAtMs: number
}

/** Turns credentials into callers. What was revoked is refused from the next request on, on every node. */
export interface Callers {
  /** See `AuthProvider`. */
  readonly authenticate: KnownCallers['authenticate']
  /** As `AuthProvider.expect`. */
  readonly expect: KnownCallers['expect']
  /**
   * Returns the owner of a token, for the routes of /auth: the e-mail address need not be verified, an API key is not a
   * token.
   *
   * @throws {GatewayError} `unauthorized` (401), `unavailable` (503).
   */
  identify(token: string | undefined, client: ClientInfo): Promise<Identified>
  /**
   * Returns whether the row of the user table still exists. True where there is no such table, and where that is
   * unknown because the table is unavailable or has no column to find accounts by: `authenticate` checks it itself.
   */
  isUser(of: Account | Identified): Promise<boolean>
  /** The caller of an account whose password was right, for the wire protocol. Throws like `authenticate`. */
  ofAccount(account: Account): Promise<Authenticated>
  /** As `AuthProvider.impersonate`. @param engine looks callers up, instead of that of `CallersOptions`. */
  readonly impersonate: Impersonate
  /** Refuses a token that `identify` accepted, from now on, on every node. */
  deny(token: string, expiresAtMs: number): Promise<void>
  readonly apiKeys: Pick<ApiKeys, 'create' | 'list' | 'revoke'>
  /** Writes pending last-used times. */
  close(): Promise<void>
}

export interface CallersOptions {
  readonly settings: AuthSettings
  readonly jwt: JwtSettings
  readonly store: Store
  readonly engine: Engine
  readonly accounts: Pick<AccountStore, 'findById' | 'findByEmail'>
  readonly sessions: Pick<SessionStore, 'find'>
  readonly tokens: Pick<Tokens, 'verify' | 'isOursAlone'>
  readonly limiter: RateLimiter
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** @throws {GatewayError} `invalidConfiguration` when `auth.userTable` does not fit its database. */
export function createCallers(options: CallersOptions): Callers {
  const { settings, jwt, store, accounts, tokens, clock } = options
  const userRows = openUserRows(options)
  const rowOwner = createRowOwner(accounts)
  const makeCaller = createMakeCaller(options, userRows, rowOwner)
  const { sessions } = options
  const clockSkewMs = jwt.clockSkewSeconds * 1_000
  const deniedTokens = createDeniedTokens(store, { clock, clockSkewMs })
  const readTokenState = createTokenStateReader(store)
  const failures = settings.throttle?.tokenFailuresPerIp
  const apiKeys = createApiKeys({ ...options, failures })
  const sameCaller = createSameCaller()

  const liveSession = async (sid: string, token: VerifiedToken): Promise<LiveSession> => {
    const session = await sessions.find(sid)
    if (session === undefined) throw unauthorized('The session has ended.')
    const { account } = session
    if (account.id !== token.subject || account.isDisabled) {
      throw unauthorized('The bearer token does not belong to its session.')
    }
    return session
  }

  /** For a token that was created elsewhere. @throws {GatewayError} `unauthorized` when it was signed out. */
  const accountOf = async (token: VerifiedToken): Promise<Account | undefined> => {
    const { fingerprint, issuer, subject } = token
    const state = await readTokenState(fingerprint, issuer === undefined ? subject : undefined)
    if (state.isDenied) throw unauthorized('The bearer token was signed out.')
    const account = state.account ?? (await linkedAccount(token))
    if (account?.isDisabled) throw unauthorized('The account is disabled.')
    return account
  }

  /**
   * Both sides must have verified that the mailbox belongs to this user: anyone can sign up with another user's
   * address.
   */
  const linkedAccount = async ({ issuer, claims }: VerifiedToken): Promise<Account | undefined> => {
    const { email, email_verified: isVerified } = claims
    if (!issuer?.linkByEmail || isVerified !== true || typeof email !== 'string') return undefined
    const address = parseEmail(email, settings.signUp.allowUtf8Email)
    const account = address && (await accounts.findByEmail(address.key))
    return account?.emailVerified ? account : undefined
  }

  /** Of a token that was created elsewhere. Throws like `accountOf`. */
  const foreignIdentity = async (token: VerifiedToken): Promise<Identity> =>
    tokenIdentity(token, await accountOf(token), settings)

  /** Nothing but the tables of accounts determines a caller. */
  const isFixed = settings.userTable === undefined && settings.resolveSession === undefined

  const resolved = async (
    untilMs: number,
    look: (engine: Engine | undefined) => Promise<Authenticated>,
    onUse?: () => void,
  ): Promise<Resolved> => ({ untilMs, caller: isFixed ? await look(undefined) : look, onUse })

  const ofToken = async (text: string): Promise<Resolved> => {
    const token = await tokens.verify(text)
    const { sessionId, expiresAtMs } = token
    const endMs = expiresAtMs + clockSkewMs
    if (sessionId === undefined) {
      const identity = await foreignIdentity(token)
      return resolved(endMs, async (engine) => {
        const caller = sameCaller(token.fingerprint, await makeCaller(identity, engine))
        return { caller, credential: 'token', credentialId: undefined, expiresAtMs }
      })
    }
    const session = await liveSession(sessionId, token)
    const identity = accountIdentity(session.account)
    return resolved(Math.min(endMs, session.expiresAtMs), async (engine) => {
      const caller = sameCaller(sessionId, await makeCaller(identity, engine))
      return { caller, credential: 'session', credentialId: sessionId, expiresAtMs }
    })
  }

  /** The owner as far as it is known: `isUser` and `authenticate` require the row. */
  const ownerOf = async (named: Identity): Promise<Identity> => {
    if (userRows === undefined || !isNamed(named.claims, settings)) return named
    const row = await userRows.find(named.claims).catch(undefinedIfRefused)
    return row === undefined ? named : rowOwner(named, row)
  }

  const keyCaller = (key: VerifiedApiKey, engine: Engine | undefined): Promise<Caller> =>
    apiKeyCaller(
      key,
      async (account) => (await makeCaller(accountIdentity(account), engine)).fields,
    )

  const accountCaller = async (account: Account, engine?: Engine): Promise<Caller> => {
    if (account.isDisabled) throw unauthorized('The account is disabled.')
    return makeCaller(accountIdentity(account), engine)
  }

  const ofApiKey = async (text: string, client: ClientInfo): Promise<Resolved> => {
    const key = await apiKeys.verify(text, client)
    const { id, expiresAtMs } = key
    const look = async (engine: Engine | undefined): Promise<Authenticated> => {
      const caller = sameCaller(`ek_${id}`, await keyCaller(key, engine))
      return { caller, credential: 'apiKey', credentialId: id, expiresAtMs }
    }
    return resolved(expiresAtMs ?? Number.POSITIVE_INFINITY, look, () => apiKeys.recordUse(id))
  }

  return {
    ...createKnownCallers({
      store,
      // Wrong keys are counted by address: a key is accepted from each address on its own.
      nameOf: (credential, { ip }) =>
        credential.startsWith(apiKeyPrefix) ? `${addressKey(ip)} ${credential}` : credential,
      resolve: (credential, client) =>
        credential.startsWith(apiKeyPrefix) ? ofApiKey(credential, client) : ofToken(credential),
      maxAgeMs: settings.session.cacheTtlMs,
      clock,
    }),
    identify: async (text) => {
      if (text === undefined) throw unauthorized('A bearer token is required.')
      const token = await tokens.verify(text)
      const { sessionId, claims, expiresAtMs } = token
      if (sessionId !== undefined) {
        const session = await liveSession(sessionId, token)
        return { kind: 'session', session, claims, expiresAtMs }
      }
      const { id, account } = await ownerOf(await foreignIdentity(token))
      return { kind: 'token', id, claims, account, expiresAtMs }
    },
    isUser: async (of) => {
      const claims = claimsOf(of)
      if (userRows === undefined || !isNamed(claims, settings)) return true
      try {
        await userRows.find(claims)
        return true
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        return error.problem !== 'unauthorized'
      }
    },
    ofAccount: async (account) => {
      const caller = await accountCaller(account)
      return { caller, credential: 'session', credentialId: undefined, expiresAtMs: undefined }
    },
    impersonate: createImpersonate({
      settings,
      accounts,
      acceptsOwnTokens: !tokens.isOursAlone,
      ofAccount: accountCaller,
      ofToken: async (token, engine) => makeCaller(await foreignIdentity(token), engine),
      ofApiKey: async (id, engine) => keyCaller(await apiKeys.ofId(id), engine),
    }),
    deny: (token, expiresAtMs) => {
      const fingerprint = fingerprintOf(token.slice(0, token.lastIndexOf('.')))
      return deniedTokens.add({ fingerprint, expiresAtMs })
    },
    apiKeys,
    close: () => apiKeys.close(),
  }
}

/** Claims that identify a row of the user table. */
function claimsOf(of: Account | Identified): Claims {
  if (!('kind' in of)) return accountIdentity(of).claims
  if (of.kind === 'session') return accountIdentity(of.session.account).claims
  const own = of.account === undefined ? {} : accountIdentity(of.account).claims
  return { ...of.claims, ...own }
}

function isNamed(claims: Claims, { userTable }: AuthSettings): boolean {
  return (claimAt(claims, matchedField(userTable)) ?? undefined) !== undefined
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof GatewayError) return undefined
  throw error
}
