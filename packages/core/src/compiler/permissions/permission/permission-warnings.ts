/** @module Warns at start about permissions that their author may not have intended. They are never refused. */

import type { Fault } from '../../../foundation/faults.ts'
import type { Connection, Table } from '../../catalog/catalog.ts'
import type { WriteOperation } from '../../catalog/operation.ts'
import { allTables, findTable } from '../../catalog/partitions.ts'
import { columnsOf } from '../filter/filter-columns.ts'
import type { ConnectionPermissions, FrozenColumns, TablePermission } from './permission-set.ts'

/** Warnings about the permissions of one connection, each with the path it is about. */
export function permissionWarnings(
  connection: Connection,
  permissions: ConnectionPermissions,
  frozen: FrozenColumns,
): readonly Fault[] {
  const warnings: Fault[] = []
  for (const [name, list] of permissions) {
    const table = findTable(connection, name)
    if (table === undefined) continue
    warnings.push(
      ...lostRows(list),
      ...cascades(table, list, connection, permissions),
      ...unwritable(table, list),
    )
  }
  return [...warnings, ...newColumns(connection, frozen)]
}

/** An INSERT without a check may store rows that the same roles cannot read: rows of other users. */
function lostRows(list: readonly TablePermission[]): readonly Fault[] {
  return list.flatMap(({ key, roles, insert }): readonly Fault[] => {
    if (insert === undefined || insert.check !== undefined) return []
    const role = roles.find((each) => {
      const filters = granting(list, each).flatMap(({ select }) => (select ? [select.where] : []))
      return (
        filters.length > 0 &&
        filters.every((filter) => filter.kind !== 'true') &&
        !filters.some((filter) => columnsOf(filter).isSubsetOf(new Set(insert.presets.keys())))
      )
    })
    if (role === undefined) return []
    const message = `the role "${role}" may store rows that it may not see: add a check, or preset the columns of its row filter`
    return [{ path: `permissions.${key}.insert`, message }]
  })
}

/** The table that foreign keys name: of a partition the partitioned one, of a view the table whose rows it shows. */
function storedIn({ key, partitionOf, viewWrites }: Table, connection: Connection): string {
  const base = viewWrites?.base
  if (base === undefined) return partitionOf ?? key
  const found = [...connection.tables.values()].find(
    ({ native }) => native.schema === base.schema && native.name === base.name,
  )
  return found?.key ?? key
}

/** Rows that are deleted with another row, whether or not the caller may delete them directly. */
function cascades(
  table: Table,
  list: readonly TablePermission[],
  connection: Connection,
  permissions: ConnectionPermissions,
): readonly Fault[] {
  const stored = storedIn(table, connection)
  const children = [...connection.tables.values()].filter(({ foreignKeys }) =>
    foreignKeys.some((key) => stored === key.table && key.cascades === true),
  )
  return list.flatMap(({ key, roles, delete: deleting }) => {
    if (deleting === undefined) return []
    return children.flatMap((child): readonly Fault[] => {
      const own = permissions.get(child.key) ?? []
      const role = roles.find(
        (each) => !granting(own, each).some((other) => other.delete?.where.kind === 'true'),
      )
      if (role === undefined) return []
      const message = `ON DELETE CASCADE deletes rows of ${child.connection}.${child.name} that the role "${role}" may not delete`
      return [{ path: `permissions.${key}.delete`, message }]
    })
  })
}

/** A right to write a view that the database cannot write grants nothing, nor one to write a table with a rule. */
function unwritable(table: Table, list: readonly TablePermission[]): readonly Fault[] {
  const { connection, name, kind } = table
  const object =
    kind === 'view' ? `view ${connection}.${name}` : `table ${connection}.${name}, which has a rule`
  return list.flatMap((permission) =>
    (['insert', 'update', 'delete'] as const)
      .filter((operation) => permission[operation] !== undefined)
      .filter((operation) => !isWritable(table, operation))
      .map((operation) => ({
        path: `permissions.${permission.key}.${operation}`,
        message: `grants nothing: ${operation} is not possible on the ${object}`,
      })),
  )
}

function isWritable({ kind, viewWrites, ruledWrites }: Table, operation: WriteOperation): boolean {
  if (kind !== 'view') return ruledWrites?.includes(operation) !== true
  const method = viewWrites?.[operation] ?? 'none'
  return method !== 'none' && method !== 'rule'
}

function granting(list: readonly TablePermission[], role: string): readonly TablePermission[] {
  return list.filter(({ roles }) => roles.includes(role) || roles.includes('*'))
}

/** `'*'` means the columns that existed at start. */
function newColumns(connection: Connection, frozen: FrozenColumns): readonly Fault[] {
  return allTables(connection).flatMap((table): readonly Fault[] => {
    const id = `${table.connection}.${table.name}`
    const known = frozen.get(id)
    const added = table.columns.filter(({ name }) => known !== undefined && !known.includes(name))
    if (added.length === 0) return []
    const names = added.map(({ name }) => `"${name}"`).join(', ')
    const message = `stay hidden until the next start, since they were added after this one: ${names}`
    return [{ path: `columns of ${id}`, message }]
  })
}
