/** @module Entries of the engine's own statements. */
import { systemName } from '../../foundation/audit-event.ts'

/**
 * Their callers as they are stored, with `via` `system`. Earlier versions stored `admin`; an administrator's `via` is never
 * `system`.
 */
export const storedSystemCallers: readonly string[] = [systemName, 'admin']

/** @param stored the values of an entry as they are stored. */
export function isSystemEntry({
  via,
  caller,
}: {
  readonly via: string | null
  readonly caller: string | null
}): boolean {
  return via === systemName && caller !== null && storedSystemCallers.includes(caller)
}
