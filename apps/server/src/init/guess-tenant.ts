/** @module How rows belong to tenants, where several organisations share the database. */
import type { Connection, Table } from '@engine/core/server'
import { looksLikeTenant } from './column-names.ts'
import type { UserTable } from './guess-users.ts'

/** The part of a permission's filter that is about the caller. */
export type RowFilter = Readonly<Record<string, unknown>>

export interface Tenancy {
  /** Column of the tables that have a tenant. */
  readonly column: string
  /** Is it a column of the user table, whose value is `$user.<column>`? */
  readonly isOfUser: boolean
  /** Table of memberships, where users may have several tenants. */
  readonly memberships: string | undefined
}

/** Columns that may name the tenant, with the number of tables that have them, most first. */
export function guessTenancies(
  connection: Connection,
  users: UserTable | undefined,
): readonly Tenancy[] {
  const counts = new Map<string, number>()
  for (const { columns } of connection.tables.values()) {
    for (const { name } of columns) {
      if (looksLikeTenant(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([column]) => {
      const found = users && tenancyOf(column, connection, users)
      return found === undefined ? [] : [found]
    })
}

/** @returns undefined where nothing says which tenant a user has. */
export function tenancyOf(
  column: string,
  connection: Connection,
  { table: users }: UserTable,
): Tenancy | undefined {
  const having = [...connection.tables.values()].filter((table) => has(table, column))
  if (has(users, column)) {
    return having.length < 2 ? undefined : { column, isOfUser: true, memberships: undefined }
  }
  const memberships = having.find(
    (table) => table !== users && table.foreignKeys.some((key) => key.table === users.key),
  )
  if (memberships === undefined || having.length < 2) return undefined
  return { column, isOfUser: false, memberships: memberships.name }
}

/**
 * The rows of the caller's tenants.
 *
 * @returns undefined where the table has no tenant, or no relation leads to the memberships.
 */
export function tenantFilter(
  table: Table,
  tenancy: Tenancy,
  connection: Connection,
  { table: users, key }: UserTable,
): RowFilter | undefined {
  const { column, isOfUser, memberships } = tenancy
  if (isOfUser) {
    if (has(table, column)) return { [column]: `$user.${column}` }
    const keyed = keyOfTenants(table, column, users)
    return keyed === undefined ? undefined : { [keyed]: `$user.${column}` }
  }
  const own = (member: Table): RowFilter | undefined => {
    const foreign = member.foreignKeys.find((each) => each.table === users.key)
    const name = member.columns[foreign?.columns[0] ?? -1]?.name
    return name === undefined ? undefined : { [name]: `$user.${key.name}` }
  }
  const members = [...connection.tables.values()].find(({ name }) => name === memberships)
  const condition = members && own(members)
  if (members === undefined || condition === undefined) return undefined
  if (table === members) return condition
  for (const [name, relation] of table.relationships) {
    const [from] = relation.from
    if (relation.type === 'many-to-one' && from === column) {
      const tenants = connection.tables.get(relation.table)
      const back = tenants && relationTo(tenants, members, column)
      if (back !== undefined) return { [name]: { [back]: { $some: condition } } }
    }
  }
  const back = relationTo(table, members, column)
  return back === undefined ? undefined : { [back]: { $some: condition } }
}

/** The column of the table of tenants that the user's column refers to. */
function keyOfTenants(table: Table, column: string, users: Table): string | undefined {
  const foreign = users.foreignKeys.find(
    ({ columns: [first, ...more] }) =>
      more.length === 0 && users.columns[first ?? -1]?.name === column,
  )
  return foreign?.table === table.key ? foreign.references[0] : undefined
}

/** Both conditions; conditions on the same related row are one. */
export function bothFilters(a: RowFilter | undefined, b: RowFilter | undefined): RowFilter {
  const merged: Record<string, unknown> = { ...a }
  for (const [name, value] of Object.entries(b ?? {})) {
    const known = merged[name]
    merged[name] = isFilter(known) && isFilter(value) ? bothFilters(known, value) : value
  }
  return merged
}

function isFilter(value: unknown): value is RowFilter {
  return typeof value === 'object' && value !== null
}

/** The to-many relation from the table of tenants to the memberships. */
function relationTo(tenants: Table, members: Table, column: string): string | undefined {
  return [...tenants.relationships].find(
    ([, { type, table, to }]) =>
      type === 'one-to-many' && table === members.key && to.length === 1 && to[0] === column,
  )?.[0]
}

function has({ columns }: Table, column: string): boolean {
  return columns.some(({ name }) => name === column)
}
