/** @module Permissions after the check against the catalog: the form that authorization uses. */

import { closestName } from '../../../foundation/closest-name.ts'
import type { Faults } from '../../../foundation/faults.ts'
import { suggestion } from '../../../foundation/faults.ts'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { Column, Connection, Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import { tableAt } from '../../catalog/shared-database.ts'
import { samePresets } from '../combination/writes.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import type { PolicyFilter } from '../filter/policy-filter.ts'
import { type Operand, parseOperand } from '../filter/policy-operand.ts'
import { configKey } from './config-key.ts'
import type { Permission } from './permission.ts'

/** One permission on an existing table. */
export interface TablePermission {
  /** Its key in the configuration. */
  readonly key: string
  readonly name: string
  readonly table: Table
  readonly roles: readonly string[]
  readonly restrict: PolicyFilter | undefined
  readonly select:
    | {
        readonly columns: ReadonlySet<number>
        readonly where: PolicyFilter
        /** Equal for equal `where`s: permissions with the same rows combine without masks. */
        readonly whereKey: string
        readonly limit: number | undefined
        readonly aggregate: boolean
      }
    | undefined
  readonly insert:
    | {
        readonly columns: ReadonlySet<number>
        readonly check: PolicyFilter | undefined
        readonly presets: Presets
      }
    | undefined
  readonly update:
    | {
        readonly columns: ReadonlySet<number>
        readonly where: PolicyFilter
        readonly check: PolicyFilter | undefined
        readonly presets: Presets
      }
    | undefined
  readonly delete: { readonly where: PolicyFilter } | undefined
}

/** By ordinal of the column. `key` is equal for equal values. */
export type Presets = ReadonlyMap<number, { readonly value: Operand; readonly key: string }>

/** The permissions of one connection, by table name. */
export type ConnectionPermissions = ReadonlyMap<string, readonly TablePermission[]>

/** The columns that existed when the engine started: `'*'` means these, so that a new column stays hidden. */
export type FrozenColumns = Map<string, readonly string[]>

/**
 * Checks the permissions on the tables of one connection, or of those that share its database.
 *
 * @param permissions by name, their shape already checked.
 * @param frozen filled at the first call; later calls (after a schema change) use it.
 * @param faults receives names that do not exist, with their paths. A table with a fault in any of its permissions is closed
 *   completely: the remaining permissions could allow more than intended.
 */
export function createConnectionPermissions(
  permissions: ReadonlyMap<string, Permission>,
  connection: Connection,
  frozen: FrozenColumns,
  faults: Faults,
): ConnectionPermissions {
  const result = new Map<string, TablePermission[]>()
  const broken = new Set<string>()
  for (const [name, permission] of permissions) {
    const [connectionName = ''] = permission.table.split('.')
    if (!(connection.members?.has(connectionName) ?? connectionName === connection.name)) continue
    const table = tableAt(connection, permission.table)
    const path = `permissions.${name}`
    if (table === undefined) {
      const known = [...connection.tables.values()].filter(
        (each) => each.connection === connectionName,
      )
      const tableName = permission.table.slice(connectionName.length + 1)
      const names = known.map((each) => each.name)
      const closest = closestName(tableName, names)
      const hint = closest === undefined ? '' : `; did you mean "${connectionName}.${closest}"?`
      faults.add(`${path}.table`, `there is no table "${permission.table}"${hint}`)
      continue
    }
    const { key: tableName } = table
    const before = faults.list.length
    const checked = checkPermission(name, permission, { connection, table, frozen, faults, path })
    const list = result.get(tableName) ?? []
    for (const other of list) checkPresets(checked, other, faults, path)
    if (faults.list.length > before) broken.add(tableName)
    result.set(tableName, [...list, checked])
  }
  for (const tableName of broken) result.set(tableName, [])
  return result
}

interface PermissionContext {
  readonly connection: Connection
  readonly table: Table
  readonly frozen: FrozenColumns
  readonly faults: Faults
  readonly path: string
}

function checkPermission(
  name: string,
  permission: Permission,
  context: PermissionContext,
): TablePermission {
  const { select, insert, update } = permission
  const filter = (value: unknown, key: string) =>
    parseFilter(value, { ...context, outer: undefined }, `${context.path}.${key}`)
  const optional = (value: unknown, key: string) =>
    value === undefined ? undefined : filter(value, key)
  return {
    key: name,
    name: permission.name ?? name,
    table: context.table,
    roles: permission.roles,
    restrict: optional(permission.restrict, 'restrict'),
    select: select && {
      columns: columnSet(select.columns, context, 'select.columns'),
      where: filter(select.where, 'select.where'),
      whereKey: configKey(select.where ?? {}),
      limit: select.limit,
      aggregate: select.aggregate ?? true,
    },
    insert: insert && {
      columns: columnSet(insert.columns, context, 'insert.columns'),
      check: optional(insert.check, 'insert.check'),
      presets: presets(insert.preset, context, 'insert.preset'),
    },
    update: update && {
      columns: columnSet(update.columns, context, 'update.columns'),
      where: filter(update.where, 'update.where'),
      check: optional(update.check, 'update.check'),
      presets: presets(update.preset, context, 'update.preset'),
    },
    delete: permission.delete && { where: filter(permission.delete.where, 'delete.where') },
  }
}

function columnSet(
  columns: readonly string[] | '*' | undefined,
  context: PermissionContext,
  key: string,
): ReadonlySet<number> {
  const { table, frozen, faults, path } = context
  const ordinals = new Set<number>()
  if (columns === undefined || columns === '*') {
    const id = `${table.connection}.${table.name}`
    const known = frozen.get(id) ?? table.columns.map((column) => column.name)
    frozen.set(id, known)
    for (const column of table.columns)
      if (known.includes(column.name)) ordinals.add(column.ordinal)
    return ordinals
  }
  for (const [i, name] of columns.entries()) {
    const column = columnOf(table, name)
    if (column === undefined) faults.add(`${path}.${key}[${i}]`, noColumn(table, name))
    else if (ordinals.has(column.ordinal)) faults.add(`${path}.${key}[${i}]`, 'is listed twice')
    else ordinals.add(column.ordinal)
  }
  return ordinals
}

function columnOf(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name)
}

function noColumn(table: Table, name: string): string {
  const known = table.columns.map((column) => column.name)
  return `${table.connection}.${table.name} has no column "${name}"${suggestion(name, known)}`
}

function presets(
  input: Readonly<Record<string, unknown>> | undefined,
  context: PermissionContext,
  key: string,
): Presets {
  const result = new Map<number, { value: Operand; key: string }>()
  for (const [name, value] of Object.entries(input ?? {})) {
    const path = `${context.path}.${key}.${name}`
    const column = columnOf(context.table, name)
    if (column === undefined) {
      context.faults.add(path, noColumn(context.table, name))
      continue
    }
    const operand = presetOperand(value, column, context, path)
    if (operand !== undefined) {
      result.set(column.ordinal, { value: operand, key: configKey(value) })
    }
  }
  return result
}

function presetOperand(
  value: unknown,
  column: Column,
  context: PermissionContext,
  path: string,
): Operand | undefined {
  const filterContext = { ...context, outer: undefined }
  if (column.generated === 'always') {
    context.faults.add(path, 'the database generates this column')
    return undefined
  }
  if (value === null) {
    return {
      slots: [],
      build: () => ({ kind: 'constant', value: null, type: column.type }),
    }
  }
  if (isPlainObject(value) && Object.hasOwn(value, '$col')) {
    context.faults.add(path, 'a preset is a constant, "$user.<field>" or { $now }')
    return undefined
  }
  const type = { oid: column.type.oid, typmod: column.type.typmod }
  return parseOperand(value, type, filterContext, path)
}

/** Two permissions for one role and operation may not set a column to different values. */
function checkPresets(
  permission: TablePermission,
  other: TablePermission,
  faults: Faults,
  path: string,
): void {
  if (!permission.roles.some((role) => other.roles.includes(role))) return
  for (const operation of ['insert', 'update'] as const) {
    const mine = permission[operation]?.presets
    const theirs = other[operation]?.presets
    if (mine === undefined || theirs === undefined || samePresets(mine, theirs)) continue
    faults.add(
      `${path}.${operation}.preset`,
      `differs from the preset of "${other.name}" for the same role`,
    )
  }
}

/** The filters of a permission that apply to an operation. */
export function filtersOf(
  permission: TablePermission,
  operation: Operation,
): readonly (PolicyFilter | undefined)[] {
  switch (operation) {
    case 'select':
      return [permission.select?.where]
    case 'insert':
      return [permission.insert?.check]
    case 'update':
      return [permission.update?.where, permission.update?.check]
    case 'delete':
      return [permission.delete?.where]
  }
}
