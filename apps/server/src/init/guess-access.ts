/** @module What each role may read of each table, guessed from owners, tenants and names. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import { isInvitationTable } from './access-names.ts'
import { accessTables } from './access-tables.ts'
import {
  isForeignTable,
  isSecretTable,
  isToolTable,
  looksSecret,
  ownerRank,
  wordsOf,
} from './column-names.ts'
import { type Scope, scopeFilter } from './guess-scopes.ts'
import { type Tenancy, tenantFilter } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { guessWrites, type TableWrites, visibleRows, type WriteContext } from './guess-writes.ts'
import { areComparable, referencesOf, through } from './references.ts'
import { bothFilters, type RowFilter } from './row-filter.ts'
import { createUndecided, type Undecided, unclearMemberships } from './undecided-tables.ts'

export interface Answers {
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  /** By this column alone rows belong to a caller; undefined: by owners and tenants. */
  readonly scope?: Scope | undefined
}

/**
 * `own`: rows have an owner. `tenant`: rows have a tenant alone. `shared`: neither, or a view. `none`: the table
 * belongs to a tool, holds credentials, or has no column that may be read: it gets no permission.
 */
export type AccessKind = 'own' | 'tenant' | 'shared' | 'none'

/** The guess for one table. */
export interface TableAccess {
  readonly table: Table
  readonly kind: AccessKind
  /** One sentence. */
  readonly reason: string
  /** Columns without those that look secret. */
  readonly columns: readonly string[]
  readonly secrets: readonly string[]
  /** Rows of the caller; undefined where nothing names an owner. */
  readonly own: RowFilter | undefined
  /** Rows of the caller's tenants; undefined without tenants. */
  readonly tenant: RowFilter | undefined
  /** Why users only read it, whatever else is granted: it decides about access. */
  readonly readOnly: string | undefined
  /** Why nothing is granted before a person decides: a sentence. */
  readonly undecided: string | undefined
  /** What users may write, where they may write; nothing in tables without an owner. */
  readonly writes: TableWrites
}

/** In the order of the catalog. */
export function guessAccess(connection: Connection, answers: Answers): readonly TableAccess[] {
  const { users, tenancy, scope } = answers
  const tables = [...connection.tables.values()]
  const ofScope = (isGroup: boolean) => (table: Table) =>
    scope?.isGroup === isGroup ? scopeFilter(table, scope, connection) : undefined
  const ofOwner = (table: Table) => directOwner(table, users, connection)
  const ofTenant = (table: Table) =>
    tenancy === undefined || users === undefined
      ? undefined
      : tenantFilter(table, tenancy, connection, users)
  const undecided = createUndecided(connection, answers)
  const owners = withReferring(connection, undecided, scope ? ofScope(false) : ofOwner)
  const tenants = withReferring(connection, undecided, scope ? ofScope(true) : ofTenant)
  const members = unclearMemberships(connection, users, tenancy)
  for (const table of members === undefined ? [] : tenants.keys()) {
    if (members !== undefined && table !== members) undecided.refer(table, members)
  }
  const hasOwner = (table: Table) =>
    owners.has(table) || (scope !== undefined && tenants.has(table))
  const access = accessTables(connection, { ...answers, hasOwner })
  const read = tables.map((table) => readingOf(table, owners.get(table), tenants.get(table), users))
  const hidden = new Set(read.filter(({ kind }) => kind === 'none').map(({ table }) => table))
  const context: WriteContext = {
    connection,
    // The caller of a group is not a row of the users.
    users: scope?.isGroup === true ? undefined : users,
    callerKey: `$user.${scope?.field ?? users?.key.name ?? 'id'}`,
    access,
    visible: (table) => visibleRows(tenants.get(table), owners.get(table)),
    tenant: (table) => tenants.get(table),
    isHidden: (table) => hidden.has(table),
    isUndecided: (table) => undecided.why(table) !== undefined,
  }
  return read.map((each): TableAccess => {
    const { table, kind, own, tenant } = each
    const readOnly = access.reasons.get(table)
    // With tenants, only the owner of a row changes it; a caller who is a group changes those of the group.
    const whose = kind === 'own' ? own : scope === undefined ? undefined : tenant
    const notYet = undecided.why(table)
    const isReached = (kind === 'own' || kind === 'tenant') && notYet === undefined
    const mayWrite = isReached && readOnly === undefined
    const writes =
      mayWrite && whose !== undefined ? guessWrites(table, whose, context) : { comments: [] }
    return { ...each, readOnly, undecided: notYet, writes }
  })
}

/**
 * The tables with a filter, and those that refer to them: items of an order belong to the order's owner.
 *
 * @param undecided notes which tables get their rows from others.
 */
function withReferring(
  connection: Connection,
  undecided: Undecided,
  filterOf: (table: Table) => RowFilter | undefined,
): ReadonlyMap<Table, RowFilter> {
  const tables = [...connection.tables.values()]
  const filters = new Map<Table, RowFilter>()
  for (const table of tables) {
    const filter = filterOf(table)
    if (filter !== undefined) filters.set(table, filter)
  }
  // Two steps reach further than most schemas do.
  for (let step = 0; step < 2; step++) {
    for (const [table, own] of inherited(tables, filters, connection, undecided)) {
      filters.set(table, own)
    }
  }
  return filters
}

function readingOf(
  table: Table,
  own: RowFilter | undefined,
  tenant: RowFilter | undefined,
  users: UserTable | undefined,
): Omit<TableAccess, 'readOnly' | 'undecided' | 'writes'> {
  const isInvitation = isInvitationTable(table.name)
  const secrets = table.columns
    .filter(({ name }) => looksSecret(name) || (isInvitation && opensInvitation(name)))
    .map(({ name }) => name)
  const columns = table.columns.map(({ name }) => name).filter((name) => !secrets.includes(name))
  const common = { table, columns, secrets, own, tenant }
  if (isToolTable(table.name)) return { ...common, kind: 'none', reason: 'belongs to a tool' }
  if (isForeignTable(table.name)) {
    return { ...common, kind: 'none', reason: 'belongs to another service' }
  }
  if (isSecretTable(table.name)) return { ...common, kind: 'none', reason: 'holds credentials' }
  if (columns.length === 0) return { ...common, kind: 'none', reason: 'every column looks secret' }
  // A person decides about views: what a name of a column means in one, its query says.
  if (table.kind !== 'table') return { ...common, kind: 'shared', reason: 'a view' }
  if (own !== undefined) return { ...common, kind: 'own', reason: reasonOf(own, table, users) }
  if (tenant !== undefined) return { ...common, kind: 'tenant', reason: 'its rows have a tenant' }
  return { ...common, kind: 'shared', reason: 'nothing says whose its rows are' }
}

/** What is in the link of an invitation. */
function opensInvitation(column: string): boolean {
  return /\b(?:code|key|link|url|uuid|slug)$/.test(wordsOf(column))
}

function reasonOf(own: RowFilter, table: Table, users: UserTable | undefined): string {
  if (table === users?.table) return 'the caller is a row of it'
  const [name = '', value] = Object.entries(own)[0] ?? []
  return typeof value === 'string' ? `"${name}" names the owner` : `belongs to its "${name}"`
}

function directOwner(
  table: Table,
  users: UserTable | undefined,
  connection: Connection,
): RowFilter | undefined {
  const value = `$user.${users?.key.name ?? 'id'}`
  if (table === users?.table) return { [users.key.name]: value }
  const ranked = table.columns
    .map((column) => ({ column, rank: rankOf(column, table, users, connection) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  const [best] = ranked
  return best === undefined ? undefined : { [best.column.name]: value }
}

/** Accounts without a user table have a text as their id. */
const textOids: ReadonlySet<number> = new Set([25, 1043, 1042, 2950])

function rankOf(
  column: Column,
  table: Table,
  users: UserTable | undefined,
  connection: Connection,
): number {
  const rank = ownerRank(column.name, users?.table.name)
  if (users === undefined) return textOids.has(column.type.oid) ? rank : 0
  const found = referencesOf(table, connection).filter(({ columns }) => columns.includes(column))
  const refers = found.some(
    ({ table: target, columns, to, isDeclared }) =>
      isDeclared && target === users.table && columns.length === 1 && to[0] === users.key.name,
  )
  if (refers) return 20 + rank
  const isOther = found.some(({ table: target }) => target !== users.table)
  return isOther || !areComparable(column, users.key) ? 0 : rank
}

/** Tables that refer to a table with owners, by a foreign key of one column. */
function inherited(
  tables: readonly Table[],
  owners: ReadonlyMap<Table, RowFilter>,
  connection: Connection,
  undecided: Undecided,
): readonly (readonly [Table, RowFilter])[] {
  return tables.flatMap((table) => {
    if (owners.has(table) || table.kind !== 'table') return []
    for (const reference of referencesOf(table, connection)) {
      const own = owners.get(reference.table)
      if (own === undefined || !reference.isDeclared) continue
      if (reference.table === table) continue
      undecided.refer(table, reference.table)
      const counts = undecided.statusOf(reference.table)?.counts
      return [[table, through(reference, bothFilters(own, counts))] as const]
    }
    return []
  })
}
