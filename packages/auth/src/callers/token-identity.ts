import type { AuthSettings } from '@engine/core/server'
import type { Account } from '../accounts/account.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { claimedRoles, ownPath } from './claimed-roles.ts'
import { accountIdentity, type Identity } from './identity.ts'

/**
 * The identity of a token that was created elsewhere. Its claims are `$user` fields; `$user.id` is the caller's id,
 * `$user.sub` its subject. `auth.roles.default` does not apply: it is for accounts of this service.
 *
 * @param account the account of this service that owns the token: its current state counts, not the claims of the
 * token.
 */
export function tokenIdentity(
  { issuer, subject, claims }: VerifiedToken,
  account: Account | undefined,
  settings: AuthSettings,
): Identity {
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
  }
}

/** Without a `sub`, or with a number as `sub`, the claim that is matched with the user table is the id. */
function matchedSubject(claims: VerifiedToken['claims'], { userTable }: AuthSettings): string {
  const field = userTable?.matchOn?.jwtField ?? 'sub'
  return String(ownPath(claims, [field]) ?? ownPath(claims, field.split('.')))
}
