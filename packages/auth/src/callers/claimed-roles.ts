import type { Claims } from '../tokens/check-claims.ts'

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

/** Reads own properties only: a claim cannot access prototypes. */
export function ownPath(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) {
      return undefined
    }
    current = (current as Readonly<Record<string, unknown>>)[part]
  }
  return current
}
