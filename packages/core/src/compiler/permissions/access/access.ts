/** @module The rights of one set of roles on one connection: permissions chosen by role and combined by Kleene logic. */
import type { Connection, Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { CallerSlot } from '../../sql-types/value-source.ts'
import { applies } from '../combination/roles.ts'
import { fold, slotsOf } from '../filter/policy-filter.ts'
import type { ConnectionPermissions, TablePermission } from '../permission/permission-set.ts'
import { filtersOf } from '../permission/permission-set.ts'

/**
 * The rights of one role set, as far as they are known without the caller's values: a field of `$user` is only present or
 * missing.
 */
export interface Access {
  readonly connection: Connection
  /** Full rights: the master key, or open mode without permissions. */
  readonly isFull: boolean
  readonly roles: readonly string[]
  readonly permissionsFor: (table: Table) => readonly TablePermission[]
  readonly isPresent: (slot: CallerSlot) => boolean
}

/** Full rights on a connection. */
export function fullAccess(connection: Connection): Access {
  return {
    connection,
    isFull: true,
    roles: [],
    permissionsFor: () => [],
    isPresent: () => false,
  }
}

/** Permissions of one role set on one connection, independent of which caller fields are present. */
export interface RoleAccess {
  /** Every caller field that a permission of these roles reads, in a fixed order. */
  readonly slots: readonly CallerSlot[]
  /** `present[i]`: `slots[i]` has a value. */
  narrow(present: readonly boolean[]): Access
}

/**
 * Chooses the permissions of a role set.
 *
 * @param isAuthenticated `*` in `roles` means any authenticated caller.
 */
export function createRoleAccess(
  connection: Connection,
  permissions: ConnectionPermissions,
  roles: readonly string[],
  isAuthenticated: boolean,
): RoleAccess {
  const chosen = new Map<string, readonly TablePermission[]>()
  for (const [table, list] of permissions) {
    chosen.set(
      table,
      list.filter((permission) => applies(permission.roles, roles, isAuthenticated)),
    )
  }
  const slots = distinctSlots([...chosen.values()].flat())
  return {
    slots,
    narrow: (present) => {
      const known = new Set(slots.filter((_, i) => present[i]).map(slotKey))
      const isPresent = (slot: CallerSlot) => known.has(slotKey(slot))
      const folded = new Map<string, readonly TablePermission[]>()
      for (const [table, list] of chosen) {
        folded.set(
          table,
          list.map((permission) => foldPermission(permission, isPresent)),
        )
      }
      return {
        connection,
        isFull: false,
        roles,
        permissionsFor: (table) => folded.get(table.key) ?? [],
        isPresent,
      }
    },
  }
}

/** Equal for slots that read the same field as the same type of the same connection. */
export function slotKey({ connection = '', type, path, isPattern = false }: CallerSlot): string {
  return JSON.stringify([connection, type.oid, type.typmod, isPattern, ...path])
}

const operations: readonly Operation[] = ['select', 'insert', 'update', 'delete']

/** Every caller field that permissions read, once for each type. */
export function distinctSlots(permissions: readonly TablePermission[]): readonly CallerSlot[] {
  const found = new Map<string, CallerSlot>()
  for (const permission of permissions) {
    const filters = [permission.restrict, ...operations.flatMap((o) => filtersOf(permission, o))]
    const presets = [permission.insert?.presets, permission.update?.presets]
    const slots = [
      ...filters.flatMap((filter) => (filter === undefined ? [] : slotsOf(filter))),
      ...presets.flatMap((map) => [...(map?.values() ?? [])].flatMap(({ value }) => value.slots)),
    ]
    for (const slot of slots) found.set(slotKey(slot), slot)
  }
  return [...found.values()]
}

function foldPermission(
  permission: TablePermission,
  isPresent: (slot: CallerSlot) => boolean,
): TablePermission {
  const { restrict, select, insert, update } = permission
  return {
    ...permission,
    restrict: restrict && fold(restrict, isPresent),
    select: select && { ...select, where: fold(select.where, isPresent) },
    insert: insert && { ...insert, check: insert.check && fold(insert.check, isPresent) },
    update: update && {
      ...update,
      where: fold(update.where, isPresent),
      check: update.check && fold(update.check, isPresent),
    },
    delete: permission.delete && { where: fold(permission.delete.where, isPresent) },
  }
}
