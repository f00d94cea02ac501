/** @module The rights of a caller: role set, caller values, and the key of the plan cache for both. */
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../foundation/caller.ts'
import type { Connection } from '../../catalog/catalog.ts'
import { databaseOf } from '../../catalog/shared-database.ts'
import type { SqlValue } from '../../sql-types/value-source.ts'
import type { ConnectionPermissions } from '../permission/permission-set.ts'
import { type Access, createRoleAccess, fullAccess, type RoleAccess, slotKey } from './access.ts'
import { callerValue } from './caller-values.ts'

/** One connection with its permissions. */
export interface GuardedConnection {
  readonly connection: Connection
  readonly permissions: ConnectionPermissions
}

/** The rights of one caller under one snapshot of catalog and permissions. */
export interface Rights {
  readonly access: (connection: Connection) => Access
  /** Values of the caller fields that permissions read, by `slotKey`. */
  readonly callerValues: ReadonlyMap<string, SqlValue>
  /** Equal for callers with the same rights on the same statement: key of the plan cache. */
  readonly key: string
}

export interface RightsSource {
  rightsOf(caller: Caller): Rights
}

/**
 * Rights for every caller, as long as nothing changes. Role sets are computed once; a caller object is read once.
 *
 * @param isOpen no permissions at all in open mode: everything is allowed.
 */
export function createRightsSource(
  connections: readonly GuardedConnection[],
  isOpen: boolean,
): RightsSource {
  const roleSets = new LRUCache<string, ReadonlyMap<string, RoleAccess>>({ max: 500 })
  const narrowed = new LRUCache<string, ReadonlyMap<string, Access>>({ max: 2_000 })
  const byCaller = new WeakMap<Caller, Rights>()
  const full = fullRights()

  const compute = (caller: Caller): Rights => {
    if (caller.kind === 'admin' || (isOpen && caller.kind === 'anonymous')) return full
    const roles = [...new Set(caller.roles)].sort()
    const roleKey = JSON.stringify([caller.kind, ...roles])
    const roleAccess = roleSets.get(roleKey) ?? chooseRoles(roles, caller.kind === 'user')
    roleSets.set(roleKey, roleAccess)
    const callerValues = new Map<string, SqlValue>()
    const present = new Map<string, readonly boolean[]>()
    for (const { connection } of connections) {
      const { slots } = roleAccess.get(connection.name) ?? { slots: [] }
      const bits = slots.map((slot) => {
        const value = callerValue(caller.fields, slot, connection.types)
        if (value !== undefined) callerValues.set(slotKey(slot), value)
        return value !== undefined
      })
      present.set(connection.name, bits)
    }
    const bitText = [...present.values()]
      .map((bits) => bits.map((bit) => (bit ? '1' : '0')).join(''))
      .join('|')
    const key = `${roleKey}${bitText}`
    const accesses = narrowed.get(key) ?? narrow(roleAccess, present)
    narrowed.set(key, accesses)
    return { key, callerValues, access: (connection) => accessOf(accesses, connection) }
  }

  const chooseRoles = (roles: readonly string[], isAuthenticated: boolean) =>
    new Map(
      connections.map(({ connection, permissions }) => [
        connection.name,
        createRoleAccess(connection, permissions, roles, isAuthenticated),
      ]),
    )

  return {
    rightsOf: (caller) => {
      const known = byCaller.get(caller)
      if (known !== undefined) return known
      const rights = compute(caller)
      byCaller.set(caller, rights)
      return rights
    },
  }
}

function narrow(
  roleAccess: ReadonlyMap<string, RoleAccess>,
  present: ReadonlyMap<string, readonly boolean[]>,
): ReadonlyMap<string, Access> {
  return new Map(
    [...roleAccess].map(([name, access]) => [name, access.narrow(present.get(name) ?? [])]),
  )
}

function accessOf(accesses: ReadonlyMap<string, Access>, connection: Connection): Access {
  const access = accesses.get(databaseOf(connection).name)
  if (access === undefined) throw new Error(`no access was computed for ${connection.name}`)
  return access
}

/** `Rights.key` of callers with full rights. */
export const fullRightsKey = '*full'

function fullRights(): Rights {
  return {
    key: fullRightsKey,
    callerValues: new Map(),
    access: (connection) => fullAccess(databaseOf(connection)),
  }
}
