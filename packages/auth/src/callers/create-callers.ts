import { type Caller, type Engine, GatewayError, type Log, type RateLimiter } from '@engine/core'
import type { Authenticated, AuthSettings, ClientInfo, JwtSettings } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import { type ApiKeys, createApiKeys } from '../api-keys/api-keys.ts'
import type { LiveSession, SessionStore } from '../sessions/session-store.ts'
import type { Claims } from '../tokens/check-claims.ts'
import type { Tokens } from '../tokens/create-tokens.ts'
import { createDeniedTokens } from '../tokens/denied-tokens.ts'
import { claimAt } from '../tokens/identifier.ts'
import { fingerprintOf } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import { createCredentials } from './credentials.ts'
import { accountIdentity, type Identity } from './identity.ts'
import { createImpersonate, type Impersonate } from './impersonate.ts'
import { createKnownCallers, type KnownCallers } from './known-callers.ts'
import { createMakeCaller, openUserRows } from './make-caller.ts'
import { createRowOwner } from './row-owner.ts'
import { matchedField } from './token-identity.ts'
import { createTokenOwners } from './token-owners.ts'
import type { UserRows } from './user-rows.ts'

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
  const clockSkewMs = jwt.clockSkewSeconds * 1_000
  const deniedTokens = createDeniedTokens(store, { clock, clockSkewMs })
  const failures = settings.throttle?.tokenFailuresPerIp
  const apiKeys = createApiKeys({ ...options, failures })
  const owners = createTokenOwners(options)
  const credentials = createCredentials({ ...options, apiKeys, owners, makeCaller, clockSkewMs })

  /** The owner as far as it is known: `isUser` and `authenticate` require the row. */
  const ownerOf = async (named: Identity): Promise<Identity> => {
    if (userRows === undefined || !isNamed(named.claims, settings)) return named
    const row = await userRows.find(named.claims).catch(undefinedIfRefused)
    return row === undefined ? named : rowOwner(named, row)
  }

  const accountCaller = async (account: Account, engine?: Engine): Promise<Caller> => {
    if (account.isDisabled) throw unauthorized('The account is disabled.')
    return makeCaller(accountIdentity(account), engine)
  }

  return {
    ...createKnownCallers({
      store,
      nameOf: credentials.nameOf,
      resolve: credentials.resolve,
      maxAgeMs: settings.session.cacheTtlMs,
      clock,
    }),
    identify: async (text) => {
      if (text === undefined) throw unauthorized('A bearer token is required.')
      const token = await tokens.verify(text)
      const { sessionId, claims, expiresAtMs } = token
      if (sessionId !== undefined) {
        const session = await owners.liveSession(sessionId, token)
        return { kind: 'session', session, claims, expiresAtMs }
      }
      const { id, account } = await ownerOf(await owners.foreignIdentity(token))
      return { kind: 'token', id, claims, account, expiresAtMs }
    },
    isUser: (of) => isUserOf(claimsOf(of), userRows, settings),
    ofAccount: async (account) => {
      const caller = await accountCaller(account)
      return { caller, credential: 'session', credentialId: undefined, expiresAtMs: undefined }
    },
    impersonate: createImpersonate({
      settings,
      accounts,
      acceptsOwnTokens: !tokens.isOursAlone,
      ofAccount: accountCaller,
      ofToken: async (token, engine) => makeCaller(await owners.foreignIdentity(token), engine),
      ofApiKey: async (id, engine) => credentials.ofKey(await apiKeys.ofId(id), engine),
    }),
    deny: (token, expiresAtMs) => {
      const fingerprint = fingerprintOf(token.slice(0, token.lastIndexOf('.')))
      return deniedTokens.add({ fingerprint, expiresAtMs })
    },
    apiKeys,
    close: () => apiKeys.close(),
  }
}

/** True also where that is unknown: see `Callers.isUser`. */
async function isUserOf(
  claims: Claims,
  userRows: UserRows | undefined,
  settings: AuthSettings,
): Promise<boolean> {
  if (userRows === undefined || !isNamed(claims, settings)) return true
  try {
    await userRows.find(claims)
    return true
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.problem !== 'unauthorized'
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
