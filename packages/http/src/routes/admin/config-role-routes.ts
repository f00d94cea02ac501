/** @module Roles: where they are named, and changes of all these places at once. */
import { GatewayError } from '@engine/core'
import type { ConfigurationDocument, Settings } from '@engine/core/server'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, readBody, readQuery } from './admin-route.ts'
import { answerChange, requireChangeable, shown, withDetails } from './config-request.ts'

/** The new name of a role; null removes it. */
const rolesInput = z.record(z.string().min(1), z.string().min(1).max(100).nullable())

type RoleChanges = Readonly<Record<string, string | null>>

interface RoleUse {
  permissions: string[]
  actions: string[]
  channels: string[]
}

export function addRoleRoutes(add: AddRoutes, options: AdminOptions): void {
  const { engine, configuration } = options
  add('/admin/api/config/roles', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      // Of the revision that this node uses: a change from it is refused where a newer one is stored.
      const revision = configuration?.follower.current().revision
      return shown({ roles: Object.fromEntries(usesOf(engine.settings)) }, revision)
    },
    PATCH: withDetails(async (call) => {
      requireChangeable(options)
      const roles = await readBody(call, rolesInput)
      requireKnown(roles, usesOf(engine.settings))
      return answerChange(options, call, 'config-roles-changed', ({ changes }, change) =>
        changes.write({
          ...change,
          change: (document) => withRoles(document, roles, engine.settings),
        }),
      )
    }),
  })
}

function requireKnown(roles: RoleChanges, uses: ReadonlyMap<string, RoleUse>): void {
  for (const [role, name] of Object.entries(roles)) {
    if (role === '*' || name === '*') {
      throw new GatewayError('invalidInput', '*: is every authenticated caller, not a role')
    }
    if (!uses.has(role)) throw new GatewayError('invalidInput', `${role}: there is no such role`)
  }
}

function usesOf({ permissions, actions, channels }: Settings): ReadonlyMap<string, RoleUse> {
  const uses = new Map<string, RoleUse>()
  const add = (roles: readonly string[], kind: keyof RoleUse, name: string) => {
    for (const role of roles) {
      const use = uses.get(role) ?? { permissions: [], actions: [], channels: [] }
      use[kind].push(name)
      uses.set(role, use)
    }
  }
  for (const [name, { roles }] of permissions) add(roles, 'permissions', name)
  for (const [name, { roles }] of actions) add(roles, 'actions', name)
  for (const { roles, connection, channel } of channels) {
    add(roles, 'channels', `${connection}.${channel}`)
  }
  return new Map([...uses].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Entries that are left without roles are removed; such an action is switched off. */
function withRoles(
  document: ConfigurationDocument,
  changes: RoleChanges,
  { actions }: Settings,
): ConfigurationDocument {
  const renamed = (roles: readonly string[]) => [
    ...new Set(
      roles.flatMap((role) => {
        const name = Object.hasOwn(changes, role) ? changes[role] : role
        return name === null || name === undefined ? [] : [name]
      }),
    ),
  ]
  const isConcerned = (roles: readonly string[]) =>
    roles.some((role) => Object.hasOwn(changes, role))
  const kept = <T>(entry: T): readonly T[] => {
    const { roles } = entry as { readonly roles: readonly string[] }
    if (!isConcerned(roles)) return [entry]
    const left = renamed(roles)
    return left.length === 0 ? [] : [{ ...entry, roles: left }]
  }
  const permissions = Object.entries(document.permissions ?? {}).flatMap(([name, permission]) =>
    kept(permission).map((each) => [name, each] as const),
  )
  const switches = [...actions].flatMap(([name, { roles }]) => {
    if (!isConcerned(roles)) return []
    const left = renamed(roles)
    return [[name, left.length === 0 ? { enabled: false } : { roles: left }] as const]
  })
  const { channels } = document
  return {
    ...document,
    ...(document.permissions === undefined ? {} : { permissions: Object.fromEntries(permissions) }),
    ...(Array.isArray(channels) ? { channels: channels.flatMap(kept) } : {}),
    ...(switches.length === 0
      ? {}
      : { actions: { ...(document.actions ?? {}), ...Object.fromEntries(switches) } }),
  }
}
