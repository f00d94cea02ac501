/** @module The roles that an invitation gives, and whether the configuration of the moment still has them. */

import type { FieldValue } from '@engine/contract/admin-api'
import type { Engine } from '@engine/core'
import type { AuthSettings, Settings } from '@engine/core/server'
import { givesRoles, rolesOfRow } from '../callers/make-caller.ts'

export interface RoleSource {
  readonly roles: readonly string[] | undefined
  readonly fields: Readonly<Record<string, FieldValue>>
}

/**
 * The roles among those of an invitation that no permission, action or channel names: when such a name is used again, it may
 * mean something else. Where `resolveSession` or another service (`roles.inToken`) reads roles, every name is known.
 */
export function unknownRoles(
  { roles = [], fields }: RoleSource,
  auth: AuthSettings,
  engine: Pick<Engine, 'settings'>,
): readonly string[] {
  if (auth.resolveSession !== undefined || auth.roles.inToken) return []
  const known = knownRoles(engine.settings, auth)
  const ofRow = givesRoles(auth) ? (rolesOfRow(fields, [], auth) ?? []) : []
  return [...new Set([...roles, ...ofRow])].filter((role) => !known.has(role))
}

/** Those that a permission, an action or a channel names, and those of every account. */
export function knownRoles(
  { permissions, actions, channels }: Settings,
  { roles }: AuthSettings,
): ReadonlySet<string> {
  const users = [...permissions.values(), ...actions.values(), ...channels]
  const named = users.flatMap((user) => user.roles)
  return new Set([...named, ...roles.default].filter((role) => role !== '*'))
}
