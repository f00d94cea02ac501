import type { Permission } from '@engine/core'
import type { Catalog, Table } from '@engine/core/catalog'
import type { Settings } from '@engine/core/server'
import { requiredColumns } from '../configuration/required-columns.ts'
import { type Finding, fault } from './finding.ts'

/** Writes that a permission grants, and that no caller can do. */
export function impossibleWrites(
  permissions: Settings['permissions'],
  catalog: Catalog,
): readonly Finding[] {
  return [...permissions].flatMap(([name, permission]) => {
    const table = tableOf(permission, catalog)
    if (table?.kind !== 'table') return []
    return [...impossibleInsert(name, permission, table), ...impossibleUpdate(name, permission)]
  })
}

/** The connection's name has no dot; that of a table in a further schema has one. */
function tableOf({ table: address }: Permission, catalog: Catalog): Table | undefined {
  const dot = address.indexOf('.')
  return catalog.connections.get(address.slice(0, dot))?.tables.get(address.slice(dot + 1))
}

function impossibleInsert(name: string, { insert }: Permission, table: Table): readonly Finding[] {
  if (insert?.columns === undefined || insert.columns === '*') return []
  const given = new Set([...insert.columns, ...Object.keys(insert.preset ?? {})])
  const missing = requiredColumns(table).filter((column) => !given.has(column.name))
  if (missing.length === 0) return []
  const names = missing.map((column) => `"${column.name}"`).join(', ')
  return [
    fault(
      `permissions.${name}.insert`,
      `no caller can insert: a row needs a value for ${names}, which is neither in columns nor in preset`,
    ),
  ]
}

function impossibleUpdate(name: string, { update }: Permission): readonly Finding[] {
  if (update?.columns === undefined || update.columns.length > 0) return []
  return [fault(`permissions.${name}.update`, 'no caller can update: columns is empty')]
}
