import type { CallerFields } from '@engine/core'
import type { Account } from '../accounts/account.ts'
import type { Claims } from '../tokens/check-claims.ts'

/** The owner of a valid credential, before roles and fields are looked up. */
export interface Identity {
  /**
   * Id of the caller, for limits and the audit: the id of an account, the subject of a token made with our secret, or
   * `<issuer>|<subject>`: the subject of an issuer can never be mistaken for an account of ours or of another issuer.
   */
  readonly id: string
  readonly account: Account | undefined
  /** The claims that `userTable.matchOn.jwtField` refers to. */
  readonly claims: Claims
  /** `$user` fields that do not come from the user table. */
  readonly fields: CallerFields
  /** The roles in the token; undefined: it has none, or its roles do not count. */
  readonly claimedRoles: readonly string[] | undefined
  /** Roles of its issuer's setting, for a token without an account and without roles of its own. */
  readonly issuerRoles: readonly string[]
  /**
   * The identity where the row of the user table is that of an account, and the claim that names the row is the id of
   * accounts; undefined: a row does not alter whose credential it is.
   */
  readonly asAccount?: ((account: Account) => Identity) | undefined
}

/** The identity of an account, from its current state. Its tokens do not determine its roles. */
export function accountIdentity(account: Account): Identity {
  const { id, email, name, emailVerified } = account
  const fields = { id, sub: id, email, name, emailVerified }
  return { id, account, claims: fields, fields, claimedRoles: undefined, issuerRoles: [] }
}
