/** @module Switches of actions: an action that code defines can be switched off, or run by other roles. */
import { z } from 'zod'
import { checked } from '../../config/parse/config-issues.ts'
import { type Faults, suggestion } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'

const switchInput = z.strictObject({
  enabled: z.boolean().optional(),
  roles: z.array(z.string().min(1)).min(1).optional(),
})

/** @param known names of the actions that code defines. */
export function addSwitchFaults(input: unknown, known: readonly string[], faults: Faults): void {
  if (input === undefined) return
  if (!isPlainObject(input)) {
    faults.add('actions', 'expects { enabled, roles } by the name of an action')
    return
  }
  for (const [name, value] of Object.entries(input)) {
    const path = `actions.${name}`
    if (!known.includes(name)) {
      faults.add(path, `code defines no such action${suggestion(name, known)}`)
    }
    checked(switchInput, value, path, faults)
  }
}

export function isSwitchedOff(value: unknown): boolean {
  return isPlainObject(value) && value['enabled'] === false
}

/** @returns undefined where the roles are those of the code. */
export function rolesOf(value: unknown): readonly string[] | undefined {
  const roles = isPlainObject(value) ? value['roles'] : undefined
  return Array.isArray(roles) ? roles : undefined
}
