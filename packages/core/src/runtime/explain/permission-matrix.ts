/** @module The combined grants of a configuration's permissions for each role, table and operation. */
import type { MatrixEntry, MatrixGrant, PermissionMatrix } from '@engine/contract/admin-api'
import type { Catalog } from '../../compiler/catalog/catalog.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import { findTable } from '../../compiler/catalog/partitions.ts'
import { applies } from '../../compiler/permissions/combination/roles.ts'
import type { Filter } from '../../compiler/permissions/filter/filter.ts'
import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import type { Settings } from '../../config/settings/settings.ts'
import { describeFilter, valueText } from './describe-filter.ts'

const operations: readonly Operation[] = ['select', 'insert', 'update', 'delete']

/**
 * What each role may do with each table.
 *
 * @param catalog expands `'*'` and lists the tables without permissions; without it, neither is possible.
 */
export function permissionMatrix(
  { permissions, auth }: Pick<Settings, 'permissions' | 'auth'>,
  catalog?: Catalog,
): PermissionMatrix {
  const isAuthenticated = auth !== undefined
  if (!isAuthenticated && permissions.size === 0) return openMatrix(catalog)
  const all = [...permissions].map(([key, permission]): Named => {
    const { name = key, table } = permission
    return { name, permission, columns: columnsOf(table, catalog) }
  })
  const roles = sorted(all.flatMap(({ permission }) => permission.roles)).filter(
    (role) => role !== '*' || isAuthenticated,
  )
  const tables = sorted([...all.map(({ permission }) => permission.table), ...tablesOf(catalog)])
  const entries = roles.flatMap((role) => {
    const own = role === '*' ? [] : [role]
    const applied = all.filter(({ permission }) => applies(permission.roles, own, isAuthenticated))
    return tables.flatMap((table) => {
      const here = applied.filter(({ permission }) => permission.table === table)
      return operations.flatMap((operation) => entryOf(role, table, operation, here))
    })
  })
  return { isOpen: false, roles, tables, entries }
}

function tablesOf(catalog: Catalog | undefined): readonly string[] {
  return [...(catalog?.connections.values() ?? [])].flatMap((connection) =>
    [...connection.tables.keys()].map((table) => `${connection.name}.${table}`),
  )
}

/** The rights of every caller, all anonymous, on the known tables. */
function openMatrix(catalog: Catalog | undefined): PermissionMatrix {
  const role = 'anonymous'
  const tables = sorted(tablesOf(catalog))
  const everything: Permission = {
    table: '',
    roles: [role],
    select: {},
    insert: {},
    update: {},
    delete: {},
  }
  const entries = tables.flatMap((table) => {
    const permission = { ...everything, table }
    const named = { name: 'open mode', permission, columns: columnsOf(table, catalog) }
    return operations.flatMap((operation) => entryOf(role, table, operation, [named]))
  })
  return { isOpen: true, roles: [role], tables, entries }
}

interface Named {
  readonly name: string
  readonly permission: Permission
  /** Columns of the table, in catalog order; undefined where they are unknown. */
  readonly columns: readonly string[] | undefined
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

function columnsOf(id: string, catalog: Catalog | undefined): readonly string[] | undefined {
  const [connection = '', ...rest] = id.split('.')
  const found = catalog?.connections.get(connection)
  const table = found && findTable(found, rest.join('.'))
  return table?.columns.map(({ name }) => name)
}

function entryOf(
  role: string,
  table: string,
  operation: Operation,
  permissions: readonly Named[],
): readonly MatrixEntry[] {
  const grants = permissions.flatMap((named) => grantOf(named, operation) ?? [])
  if (grants.length === 0) return []
  const restrict = permissions.flatMap(({ permission }) =>
    permission.restrict === undefined ? [] : [describeFilter(permission.restrict)],
  )
  const masked = operation === 'select' ? maskedColumns(grants) : []
  return [{ role, table, operation, grants, restrict, masked }]
}

function grantOf(named: Named, operation: Operation): MatrixGrant | undefined {
  const { name, permission } = named
  const { select, insert, update, delete: remove } = permission
  switch (operation) {
    case 'select': {
      if (select === undefined) return undefined
      const { limit, aggregate } = select
      return {
        permission: name,
        ...columnsPart(named, select.columns),
        ...conditionPart('where', select.where),
        ...(limit === undefined ? {} : { limit }),
        ...(aggregate === false ? { aggregate } : {}),
      }
    }
    case 'insert':
      return (
        insert && {
          permission: name,
          ...columnsPart(named, insert.columns),
          ...conditionPart('check', insert.check),
          ...presetsPart(insert.preset),
        }
      )
    case 'update':
      return (
        update && {
          permission: name,
          ...columnsPart(named, update.columns),
          ...conditionPart('where', update.where),
          ...conditionPart('check', update.check ?? update.where),
          ...presetsPart(update.preset),
        }
      )
    case 'delete':
      return remove && { permission: name, ...conditionPart('where', remove.where) }
  }
}

function columnsPart(
  { columns: known }: Named,
  listed: readonly string[] | '*' | undefined,
): Pick<MatrixGrant, 'columns'> {
  if (listed === undefined || listed === '*') return { columns: known ?? '*' }
  return { columns: known?.filter((column) => listed.includes(column)) ?? listed }
}

function conditionPart(
  name: 'where' | 'check',
  filter: Filter | undefined,
): Pick<MatrixGrant, 'where' | 'check'> {
  const text = describeFilter(filter)
  return text === 'true' ? {} : { [name]: text }
}

function presetsPart(
  preset: Readonly<Record<string, unknown>> | undefined,
): Pick<MatrixGrant, 'presets'> {
  const entries = Object.entries(preset ?? {})
  if (entries.length === 0) return {}
  return {
    presets: Object.fromEntries(entries.map(([column, value]) => [column, valueText(value)])),
  }
}

/** A cell has its value only where one permission grants both row and column. */
function maskedColumns(grants: readonly MatrixGrant[]): MatrixEntry['masked'] {
  const rowsOf = (some: readonly MatrixGrant[]) => new Set(some.map(({ where = 'true' }) => where))
  const all = rowsOf(grants)
  const columns = new Set(grants.flatMap(({ columns = [] }) => (columns === '*' ? [] : columns)))
  return [...columns].flatMap((column) => {
    const rows = rowsOf(
      grants.filter(({ columns = [] }) => columns === '*' || columns.includes(column)),
    )
    if (rows.has('true') || rows.size === all.size) return []
    return [{ column, visibleWhen: [...rows].join(' or ') }]
  })
}
