/** @module Permissions for two roles: `user` for everybody with an account, `staff` for who sees more. */
import type { Answers, TableAccess } from './guess-access.ts'
import type { TableWrites } from './guess-writes.ts'
import { bothFilters, type RowFilter } from './row-filter.ts'

/** A permission to be written; the names in its filters come from the catalog. */
export interface WrittenPermission extends Omit<TableWrites, 'comments'> {
  readonly table: string
  readonly roles: readonly string[]
  readonly select: { readonly columns: readonly string[]; readonly where?: RowFilter }
}

export interface FirstPermission {
  readonly name: string
  readonly permission: WrittenPermission
  /** One sentence each. */
  readonly comments: readonly string[]
  /** False: written as a comment, for a person to decide. */
  readonly isActive: boolean
}

export interface PermissionOptions extends Answers {
  readonly connection: string
  /** Users may add, change and delete their own rows. */
  readonly writes: boolean
}

/** What is granted on each table; nothing on tables of credentials and of tools. */
export function firstPermissions(
  tables: readonly TableAccess[],
  options: PermissionOptions,
): readonly FirstPermission[] {
  return tables.flatMap((access) =>
    access.kind === 'none' ? [] : [forUsers(access, options), forStaff(access, options)],
  )
}

function forUsers(access: TableAccess, options: PermissionOptions): FirstPermission {
  const { table, kind, columns, secrets, reason, own, tenant } = access
  const path = `${options.connection}.${table.name}`
  const where = bothFilters(tenant, own)
  const comments = [
    `${table.name}: ${reason}.`,
    ...(secrets.length === 0 ? [] : [`Left out, by its name: ${secrets.join(', ')}.`]),
  ]
  const { comments: aboutWrites, ...writes } = access.writes
  const read = { columns, ...(Object.keys(where).length === 0 ? {} : { where }) }
  if (kind === 'shared' || access.undecided !== undefined) {
    const rows = shownRows(where, own, tenant)
    return {
      name: `read ${table.name}`,
      permission: { table: path, roles: ['user'], select: read },
      comments: [...comments, access.undecided ?? '', `Every user would read ${rows}:`].filter(
        Boolean,
      ),
      isActive: false,
    }
  }
  return {
    name: `own ${table.name}`,
    permission: {
      table: path,
      roles: ['user'],
      select: read,
      ...(options.writes ? writes : {}),
    },
    comments: [
      ...comments,
      ...(access.readOnly === undefined ? [] : [`Read-only: ${access.readOnly}.`]),
      ...(options.writes ? aboutWrites : []),
    ],
    isActive: true,
  }
}

function shownRows(where: RowFilter, own?: RowFilter, tenant?: RowFilter): string {
  if (Object.keys(where).length === 0) return 'all of it'
  if (own === undefined) return 'the rows of their tenant'
  return tenant === undefined ? 'their own rows' : 'their own rows in their tenant'
}

/** With tenants, staff is that of a tenant: what has none is for a person to decide. */
function forStaff(access: TableAccess, options: PermissionOptions): FirstPermission {
  const { connection, tenancy } = options
  const { table, columns, tenant } = access
  const isActive =
    table.kind === 'table' &&
    (tenancy === undefined || (tenant !== undefined && access.undecided === undefined))
  return {
    name: `staff: ${table.name}`,
    permission: {
      table: `${connection}.${table.name}`,
      roles: ['staff'],
      select: { columns, ...(tenant === undefined ? {} : { where: tenant }) },
    },
    comments: isActive ? [] : staffComments(access, options),
    isActive,
  }
}

function staffComments(
  { table, tenant, undecided }: TableAccess,
  { tenancy }: PermissionOptions,
): readonly string[] {
  if (tenancy === undefined) return []
  if (undecided !== undefined) return [undecided]
  if (tenant !== undefined) return ['Staff would read the rows of its tenant:']
  const { column } = tenancy
  return table.columns.some(({ name }) => name === column)
    ? [`No relation leads from its "${column}" to the members of the tenant; staff of all tenants:`]
    : ['It has no tenant; staff of all tenants:']
}
