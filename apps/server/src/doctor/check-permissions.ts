import type { Permission } from '@engine/core'
import type { Catalog } from '@engine/core/catalog'
import { isOpenMode, type Settings } from '@engine/core/server'
import { type Finding, ok, warning } from './finding.ts'
import { impossibleWrites } from './impossible-writes.ts'

const writes = ['insert', 'update', 'delete'] as const

/** Maximum names in one line. */
const mostNames = 10

/** Finds permissions that are unusually wide, writes that no caller can do, and tables without a permission. */
export function checkPermissions(settings: Settings, catalog: Catalog): readonly Finding[] {
  const { permissions } = settings
  if (isOpenMode(settings)) return [warning('permissions', 'OPEN MODE: everyone may do everything')]
  if (permissions.size === 0) {
    return [warning('permissions', 'there are none: nobody but the master key may use a table')]
  }
  const findings = [
    ...[...permissions].flatMap(([name, permission]) => wideWrites(name, permission)),
    ...impossibleWrites(permissions, catalog),
    ...untouchedTables(permissions, catalog),
  ]
  return findings.length > 0 ? findings : [ok('permissions', `${permissions.size} permissions`)]
}

function wideWrites(name: string, permission: Permission): readonly Finding[] {
  const roles = permission.roles.filter((role) => role === '*' || role === 'anonymous')
  const operations = writes.filter((operation) => permission[operation] !== undefined)
  if (roles.length === 0 || operations.length === 0) return []
  const who = roles.includes('*') ? 'every authenticated caller' : 'callers without a token'
  return [
    warning(`permissions.${name}`, `${who} may ${operations.join(', ')} in ${permission.table}`),
  ]
}

function untouchedTables(
  permissions: Settings['permissions'],
  catalog: Catalog,
): readonly Finding[] {
  const named = new Set([...permissions.values()].map(({ table }) => table))
  return [...catalog.connections.values()].flatMap(({ name, tables }) => {
    const untouched = [...tables.keys()].filter((table) => !named.has(`${name}.${table}`))
    if (untouched.length === 0) return []
    const shown = untouched.slice(0, mostNames).join(', ')
    const rest = untouched.length > mostNames ? ` and ${untouched.length - mostNames} more` : ''
    return [
      warning(`connections.${name}`, `no permission names ${shown}${rest}: nobody may use them`),
    ]
  })
}
