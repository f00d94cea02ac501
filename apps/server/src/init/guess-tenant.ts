/** @module How rows belong to tenants, where several organisations share the database. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import { decidesAccess, isInvitationTable, isMemberTable } from './access-names.ts'
import { isSecretTable, isToolTable, looksLikeTenant, ownerRank } from './column-names.ts'
import type { UserTable } from './guess-users.ts'
import { saysUserLeft } from './membership-signs.ts'
import { type MembershipStatus, membershipStatus } from './membership-status.ts'
import { type Reference, referenceBy, referencesOf, through } from './references.ts'
import { bothFilters, type RowFilter } from './row-filter.ts'
import { stampOf } from './stamps.ts'

export interface Tenancy {
  /** Column of the tables that have a tenant. */
  readonly column: string
  /** Is it a column of the user table, whose value is `$user.<column>`? */
  readonly isOfUser: boolean
  /** Table of memberships, where users may have several tenants. */
  readonly memberships: string | undefined
}

/** The table of memberships, with its columns. */
export interface Membership {
  readonly table: Table
  /** Holds the key of the user. */
  readonly user: Column
  /** Holds the key of the tenant. */
  readonly tenant: Column
  /** The table of tenants, where the column refers to one. */
  readonly tenants: Table | undefined
  /** Which of its rows count. */
  readonly status: MembershipStatus
}

/** Columns that may name the tenant, with the number of tables that have them, most first. */
export function guessTenancies(
  connection: Connection,
  users: UserTable | undefined,
): readonly Tenancy[] {
  if (users === undefined) return []
  const counts = new Map<string, number>()
  for (const { columns } of connection.tables.values()) {
    for (const { name } of columns) {
      if (looksLikeTenant(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  for (const column of columnsOfMembers(connection, users)) {
    const having = [...connection.tables.values()].filter((table) => has(table, column))
    if (!counts.has(column)) counts.set(column, having.length)
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([column]) => tenancyOf(column, connection, users) ?? [])
}

/** @returns undefined where nothing says which tenant a user has. */
export function tenancyOf(
  column: string,
  connection: Connection,
  users: UserTable,
): Tenancy | undefined {
  const having = [...connection.tables.values()].filter((table) => has(table, column))
  if (has(users.table, column)) {
    return having.length < 2 ? undefined : { column, isOfUser: true, memberships: undefined }
  }
  const ranked = having
    .map((table) => ({ table, rank: membershipRank(table, column, connection, users) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  const memberships = ranked[0]?.table
  if (memberships === undefined) return undefined
  const tenants = tenantsOf(memberships, column, connection)
  // Groups that have nothing but rights are no tenants.
  const others = [...connection.tables.values()].filter(
    (table) =>
      table !== memberships &&
      ![decidesAccess, isMemberTable, isInvitationTable].some((is) => is(table.name)) &&
      (has(table, column) ||
        referencesOf(table, connection).some((reference) => reference.table === tenants)),
  )
  if (others.length === 0) return undefined
  return { column, isOfUser: false, memberships: memberships.name }
}

/** @returns undefined where a user has one tenant, or none. */
export function membershipOf(
  { column, memberships }: Tenancy,
  connection: Pick<Connection, 'tables' | 'types'>,
  users: UserTable,
): Membership | undefined {
  const table = [...connection.tables.values()].find(({ name }) => name === memberships)
  const user = table && memberColumn(table, connection, users)
  const tenant = table?.columns.find(({ name }) => name === column)
  if (table === undefined || user === undefined || tenant === undefined) return undefined
  return {
    table,
    user,
    tenant,
    tenants: tenantsOf(table, column, connection),
    status: membershipStatus(table, connection),
  }
}

/**
 * The rows of the caller's tenants.
 *
 * @returns undefined where the table has no tenant, or nothing leads to the memberships.
 */
export function tenantFilter(
  table: Table,
  tenancy: Tenancy,
  connection: Connection,
  users: UserTable,
): RowFilter | undefined {
  const { column, isOfUser } = tenancy
  if (isOfUser) {
    const keyed = has(table, column) ? column : keyOfTenants(table, column, users.table)
    if (keyed === undefined) return undefined
    return { [keyed]: `$user.${column}`, ...whileUser(users, connection) }
  }
  const members = membershipOf(tenancy, connection, users)
  if (members === undefined) return undefined
  const isCaller = { [members.user.name]: `$user.${users.key.name}` }
  // Users see their own memberships, also those that do not count.
  if (table === members.table) return isCaller
  const condition = bothFilters(isCaller, members.status.counts)
  if (table === members.tenants) return { ...memberOf(table, members, condition) }
  const reference = referenceToTenants(table, column, members, connection)
  if (reference !== undefined) {
    return through(reference, memberOf(reference.table, members, condition))
  }
  // A view, or a column that refers to no table.
  const back = relationTo(table, members)
  if (back !== undefined) return { [back]: { $some: condition } }
  if (table.kind !== 'table' || !has(table, column)) return undefined
  return { $exists: { table: address(members.table), where: joined(members, column, condition) } }
}

/** Which users of a tenant count, where the tenant is a column of the user. */
export function userStatus(
  users: UserTable,
  connection: Pick<Connection, 'types'>,
): MembershipStatus {
  return membershipStatus(users.table, connection, saysUserLeft)
}

/** The caller's own row says that it counts. */
function whileUser(users: UserTable, connection: Connection): RowFilter {
  const { counts } = userStatus(users, connection)
  if (Object.keys(counts).length === 0) return {}
  const { table, key } = users
  const where = { [key.name]: `$user.${key.name}`, ...counts }
  return { $exists: { table: address(table), where } }
}

/** The condition on a row of the table of tenants. */
function memberOf(tenants: Table, members: Membership, condition: RowFilter): RowFilter {
  const back = relationTo(tenants, members)
  if (back !== undefined) return { [back]: { $some: condition } }
  const key = tenants.primaryKey.flatMap((at) => tenants.columns[at]?.name ?? [])[0] ?? ''
  return { $exists: { table: address(members.table), where: joined(members, key, condition) } }
}

function joined({ tenant }: Membership, outer: string, condition: RowFilter): RowFilter {
  return { [tenant.name]: { $outer: outer }, ...condition }
}

function address({ connection, name }: Table): string {
  return `${connection}.${name}`
}

/** The reference of the same name as the one of the memberships, else the only one. */
function referenceToTenants(
  table: Table,
  column: string,
  { tenants }: Membership,
  connection: Connection,
): Reference | undefined {
  const found = referencesOf(table, connection).filter(
    (reference) => reference.table === tenants && reference.columns.length === 1,
  )
  const named = referenceBy(column, found)
  return named ?? (found.length === 1 && !has(table, column) ? found[0] : undefined)
}

function tenantsOf(
  members: Table,
  column: string,
  connection: Pick<Connection, 'tables'>,
): Table | undefined {
  return referenceBy(column, referencesOf(members, connection))?.table
}

/**
 * How much a table looks like one of memberships; 0 for a table that also has a tenant and a user, such as documents.
 * An invitation is none: who may write it would admit oneself.
 */
function membershipRank(
  table: Table,
  column: string,
  connection: Connection,
  users: UserTable,
): number {
  const { name, kind } = table
  if (table === users.table || kind !== 'table' || isInvitationTable(name)) return 0
  if (isToolTable(name) || isSecretTable(name)) return 0
  const user = memberColumn(table, connection, users)
  if (user === undefined) return 0
  const isNamed = isMemberTable(name)
  const ordinals = [user, table.columns.find((each) => each.name === column)].map(
    (each) => each?.ordinal ?? -1,
  )
  const isUnique = [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length === 2 && ordinals.every((at) => key.includes(at)),
  )
  return (isNamed ? 4 : 0) + (isUnique ? 3 : 0)
}

/** The column of the member, not of the one who added it. */
function memberColumn(
  table: Table,
  connection: Pick<Connection, 'tables'>,
  users: UserTable,
): Column | undefined {
  const columns = referencesOf(table, connection)
    .filter(({ table: target, to }) => target === users.table && to.join() === users.key.name)
    .flatMap(({ columns: [column] }) => column ?? [])
    .filter(({ name }) => stampOf(name) === undefined && !/\bby\b/i.test(name.replaceAll('_', ' ')))
  const ranked = columns.toSorted(
    (a, b) => ownerRank(b.name, users.table.name) - ownerRank(a.name, users.table.name),
  )
  return ranked[0]
}

/** Columns of tables of members that refer to a table, whatever their names. */
function columnsOfMembers(connection: Connection, users: UserTable): readonly string[] {
  return [...connection.tables.values()].flatMap((table) => {
    if (!isMemberTable(table.name) || table === users.table) return []
    return referencesOf(table, connection)
      .filter(({ table: target, columns }) => target !== users.table && columns.length === 1)
      .filter(({ table: target }) => target !== table && !/\brole|permission/i.test(target.name))
      .flatMap(({ columns: [column] }) => column?.name ?? [])
  })
}

/** The column of the table of tenants that the user's column refers to. */
function keyOfTenants(table: Table, column: string, users: Table): string | undefined {
  const foreign = users.foreignKeys.find(
    ({ columns: [first, ...more] }) =>
      more.length === 0 && users.columns[first ?? -1]?.name === column,
  )
  return foreign?.table === table.key ? foreign.references[0] : undefined
}

/** The to-many relation from the table of tenants, or of another one with its key, to the memberships. */
function relationTo(tenants: Table, members: Membership): string | undefined {
  return [...tenants.relationships].find(
    ([name, { type, table, to }]) =>
      !has(tenants, name) &&
      type === 'one-to-many' &&
      table === members.table.key &&
      to.length === 1 &&
      to[0] === members.tenant.name,
  )?.[0]
}

function has({ columns }: Table, column: string): boolean {
  return columns.some(({ name }) => name === column)
}
