/** @module Which callers may run an action. */

import { publicDenial } from '../../compiler/permissions/access/denial.ts'
import type { ActionDefinition } from '../../config/options/action.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'

/**
 * Has the caller one of the action's roles? `*` is any authenticated caller; a caller with the master key may run every action.
 */
export function mayRun({ roles }: Pick<ActionDefinition, 'roles'>, caller: Caller): boolean {
  if (caller.kind === 'admin') return true
  if (caller.kind === 'user' && roles.includes('*')) return true
  return caller.roles.some((role) => role !== '*' && roles.includes(role))
}

/** @throws {GatewayError} `permissionDenied` (403). */
export function requireActionRole(name: string, action: ActionDefinition, caller: Caller): void {
  if (mayRun(action, caller)) return
  const role = caller.roles.join(', ')
  throw new GatewayError('permissionDenied', `Role "${role}" may not run the action "${name}".`, {
    publicMessage: publicDenial,
    reason: 'the caller has none of the roles of the action',
    details: { action: name, role, roles: action.roles },
  })
}
