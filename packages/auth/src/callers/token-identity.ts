import type { GatewayError } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import { claimAt, identifierOf } from '../tokens/identifier.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { unauthorized } from '../unauthorized.ts'
import { claimedRoles } from './claimed-roles.ts'
import { accountIdentity, type Identity } from './identity.ts'

/**
 * The identity of a token that was created elsewhere. Its claims are `$user` fields; `$user.id` is the caller's id,
 * `$user.sub` its subject. `auth.roles.default` does not apply: it is for accounts of this service.
 *
 * @param account the account of this service that owns the token: its current state counts, not the claims of the
 * token.
 * @throws {GatewayError} `unauthorized` when no claim names the owner.
 */
export function tokenIdentity(
  token: VerifiedToken,
  account: Account | undefined,
  settings: AuthSettings,
): Identity {
  const { issuer, subject, claims } = token
  const roles = claimedRoles(claims, issuer?.rolesClaim ?? settings.roles.claim)
  const named = subject ?? matchedSubject(claims, settings)
  const own = account && accountIdentity(account)
  const id = own?.id ?? (issuer === undefined ? named : `${issuer.issuer}|${named}`)
  return {
    id,
    account,
    claims: { ...claims, ...own?.claims },
    fields: { ...claims, ...own?.fields, id },
    claimedRoles: roles,
    issuerRoles: issuer?.defaultRoles ?? [],
    asAccount: issuer === undefined ? (owner) => tokenIdentity(token, owner, settings) : undefined,
  }
}

/** Without a `sub`, the claim that is matched with the user table is the id. */
function matchedSubject(claims: VerifiedToken['claims'], { userTable }: AuthSettings): string {
  const field = matchedField(userTable)
  const named = identifierOf(claimAt(claims, field))
  if (named === undefined) throw unnamed(field)
  return named
}

/** The claim that the user table is matched with. */
export function matchedField(userTable: AuthSettings['userTable']): string {
  return userTable?.matchOn?.jwtField ?? 'sub'
}

export function unnamed(field: string): GatewayError {
  return unauthorized(`The bearer token has no "${field}" that names a user.`)
}
