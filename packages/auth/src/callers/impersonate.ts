/** @module The caller of a user or an API key without a credential, for administrators: by the steps that follow a verified credential. */
import { type Caller, type Engine, GatewayError } from '@engine/core'
import type {
  AuthSettings,
  CredentialOwner,
  Impersonated,
  IssuerSettings,
} from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import type { Claims } from '../tokens/check-claims.ts'
import { claimAt, identifierOf } from '../tokens/identifier.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import { givesRoles } from './make-caller.ts'
import { matchedField } from './token-identity.ts'

/** @throws {GatewayError} as `AuthProvider.impersonate`. */
export type Impersonate = (owner: CredentialOwner, engine?: Engine) => Promise<Impersonated>

export interface ImpersonateOptions {
  readonly settings: AuthSettings
  readonly accounts: Pick<AccountStore, 'findById'>
  /** Tokens that another service signed with our secret are accepted. */
  readonly acceptsOwnTokens: boolean
  /** The steps behind a session, a token that was created elsewhere, and an API key. */
  readonly ofAccount: (account: Account, engine?: Engine) => Promise<Caller>
  readonly ofToken: (token: VerifiedToken, engine?: Engine) => Promise<Caller>
  readonly ofApiKey: (id: string, engine?: Engine) => Promise<Caller>
}

type User = Extract<CredentialOwner, { readonly kind: 'user' }>

export function createImpersonate(options: ImpersonateOptions): Impersonate {
  const { settings, accounts, ofAccount, ofToken, ofApiKey } = options
  return async (owner, engine) => {
    if (owner.kind === 'apiKey') {
      return { caller: await ofApiKey(owner.id, engine), mayLackClaims: false }
    }
    if (identifierOf(owner.id) === undefined) throw unknownUser()
    const account = owner.claims === undefined ? await accounts.findById(owner.id) : undefined
    if (account === undefined && owner.hasSession === true) {
      throw unauthorized('The session has ended: its account is gone.')
    }
    if (account !== undefined && owner.roles === undefined) {
      return { caller: await ofAccount(account, engine), mayLackClaims: false }
    }
    // The subject of a token can be an account: then its state counts, too.
    const hasAccount = account !== undefined
    const token = tokenOf(owner, hasAccount ? { ...options, acceptsOwnTokens: true } : options)
    const caller = await ofToken(token, engine)
    return { caller, mayLackClaims: hasAccount || mayLackClaims(owner, settings) }
  }
}

/** A token of this user, as if its signature and its dates had been verified. @throws {GatewayError} `notFound`, `invalidInput`. */
function tokenOf(user: User, { settings, acceptsOwnTokens }: ImpersonateOptions): VerifiedToken {
  const issuer = settings.issuers.find((each) => user.id.startsWith(`${each.issuer}|`))
  if (issuer === undefined && !acceptsOwnTokens) throw unknownUser()
  const subject = issuer === undefined ? user.id : user.id.slice(issuer.issuer.length + 1)
  if (subject === '') throw unknownUser()
  const claims = claimsOf(subject, issuer, user, settings)
  const named = identifierOf(claims['sub'])
  return {
    issuer,
    subject: named,
    sessionId: undefined,
    claims: named === undefined ? claims : { ...claims, sub: named },
    expiresAtMs: Number.POSITIVE_INFINITY,
    // No token has it: none can be signed out by it.
    fingerprint: '',
  }
}

function claimsOf(
  subject: string,
  issuer: IssuerSettings | undefined,
  { claims: given, roles }: User,
  settings: AuthSettings,
): Claims {
  const issued = issuer === undefined ? {} : { iss: issuer.issuer }
  if (given === undefined) {
    const path = issuer?.rolesClaim ?? settings.roles.claim
    return { ...issued, sub: subject, ...(roles === undefined ? {} : nested(path, roles)) }
  }
  const field = matchedField(settings.userTable)
  const matched = identifierOf(claimAt(given, field))
  const sub = claimAt(given, 'sub')
  // Where the user table is matched with another claim, a token may have no subject: that claim names its owner.
  const isNamedByClaim = sub === undefined && settings.userTable !== undefined && field !== 'sub'
  if (isNamedByClaim && matched === subject) return { ...issued, ...given }
  if (sub !== undefined && identifierOf(sub) !== subject) {
    throw new GatewayError('invalidInput', 'claims.sub: is not that of the user.')
  }
  return { ...issued, sub: subject, ...given }
}

/** `['realm', 'roles']` becomes `{ realm: { roles } }`. */
function nested(path: readonly string[], value: unknown): Claims {
  return path.reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as Claims
}

/** Without its claims, a caller is known where the row of the user table has everything that is read of it. */
function mayLackClaims({ claims, roles }: User, settings: AuthSettings): boolean {
  if (claims !== undefined) return false
  const isByRow = settings.userTable !== undefined && matchedField(settings.userTable) === 'sub'
  return !isByRow || !(givesRoles(settings) || roles !== undefined)
}

function unknownUser(): GatewayError {
  return new GatewayError('notFound', 'There is no such user.')
}
