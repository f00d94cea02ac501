import type { Claims } from '../tokens/check-claims.ts'
import { ownPath } from '../tokens/identifier.ts'

/**
 * The roles in a token: the claim at `path` (a list of texts, or one text) united with `role` (a text). Roles are exact
 * texts; values of any other type are ignored.
 *
 * @returns undefined when the token has neither claim; an empty list means that it has no roles.
 */
export function claimedRoles(
  claims: Claims,
  path: readonly string[],
): readonly string[] | undefined {
  return unitedRoles(ownPath(claims, path), ownPath(claims, ['role']))
}

/** @returns undefined when both are undefined. */
export function unitedRoles(listed: unknown, single: unknown): readonly string[] | undefined {
  if (listed === undefined && single === undefined) return undefined
  const named = [...(Array.isArray(listed) ? listed : [listed]), single].filter(
    (role) => typeof role === 'string',
  )
  return [...new Set(named)]
}
