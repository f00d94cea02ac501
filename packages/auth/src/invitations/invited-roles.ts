/** @module The roles that an invitation gives, and whether the configuration of the moment still has them. */
import type { Engine } from '@engine/core'
import type { AuthSettings, Settings } from '@engine/core/server'
import type { FieldValue } from '../auth.ts'
import { givesRoles, rolesOfRow } from '../callers/make-caller.ts'

export interface RoleSource {
  readonly roles: readonly string[] | undefined
  readonly fields: Readonly<Record<string, FieldValue>>
}

/**
 * The roles among those of an invitation that no permission, action or channel names: nobody can say what they will mean when
 * the name is used again. Where `resolveSession` or another service (`roles.inToken`) reads roles, every name is known.
 */
export function unknownRoles(
  { roles = [], fields }: RoleSource,
  auth: AuthSettings,
  engine: Pick<Engine, 'settings'>,
): readonly string[] {
  if (auth.resolveSession !== undefined || auth.roles.inToken) return []
  const known = rolesIn(engine.settings, auth)
  const ofRow = givesRoles(auth) ? (rolesOfRow(fields, [], auth) ?? []) : []
  return [...new Set([...roles, ...ofRow])].filter((role) => !known.has(role))
}

function rolesIn(
  { permissions, actions, channels }: Settings,
  { roles }: AuthSettings,
): ReadonlySet<string> {
  const users = [...permissions.values(), ...actions.values(), ...channels]
  const named = users.flatMap((user) => user.roles)
  return new Set([...named, ...roles.default].filter((role) => role !== '*'))
}
