/** @module What each role may read of each table, guessed from owners, tenants and names. */
import type { Column, Connection, Table } from '@engine/core/server'
import {
  isSecretTable,
  isToolTable,
  looksPrivileged,
  looksSecret,
  ownerRank,
  wordsOf,
} from './column-names.ts'
import { type RowFilter, type Tenancy, tenantFilter } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'

export interface Answers {
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
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
  /** Columns that a caller may set in a new row, without owner, tenant and secrets. */
  readonly insertable: readonly string[]
  /** The same without the primary key. */
  readonly updatable: readonly string[]
  /** Columns of the owner and the tenant in the table itself, with the caller's values. */
  readonly preset: RowFilter
}

/** In the order of the catalog. */
export function guessAccess(connection: Connection, answers: Answers): readonly TableAccess[] {
  const { users, tenancy } = answers
  const tables = [...connection.tables.values()]
  const owners = withReferring(connection, (table) => directOwner(table, users))
  const tenants = withReferring(connection, (table) =>
    tenancy === undefined || users === undefined
      ? undefined
      : tenantFilter(table, tenancy, connection, users),
  )
  return tables.map((table) => accessOf(table, owners.get(table), tenants.get(table), users))
}

/** The tables with a filter, and those that refer to them: items of an order belong to the order's owner. */
function withReferring(
  connection: Connection,
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
    for (const [table, own] of inherited(tables, filters, connection)) filters.set(table, own)
  }
  return filters
}

function accessOf(
  table: Table,
  own: RowFilter | undefined,
  tenant: RowFilter | undefined,
  users: UserTable | undefined,
): TableAccess {
  const secrets = table.columns.filter(({ name }) => looksSecret(name)).map(({ name }) => name)
  const columns = table.columns.map(({ name }) => name).filter((name) => !secrets.includes(name))
  const preset = presetOf(table, [own, tenant])
  const insertable = table.columns
    .filter((column) => isWritable(column, table) && columns.includes(column.name))
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(preset, name) && !looksPrivileged(name))
    // Accounts are found by the address of their row.
    .filter((name) => table !== users?.table || wordsOf(name) !== 'email')
  const keys = new Set(table.primaryKey.map((at) => table.columns[at]?.name))
  const updatable = insertable.filter((name) => !keys.has(name))
  const common = { table, columns, secrets, own, tenant, insertable, updatable, preset }
  if (isToolTable(table.name)) return { ...common, kind: 'none', reason: 'belongs to a tool' }
  if (isSecretTable(table.name)) return { ...common, kind: 'none', reason: 'holds credentials' }
  if (columns.length === 0) return { ...common, kind: 'none', reason: 'every column looks secret' }
  // A person decides about views: what a name of a column means in one, its query says.
  if (table.kind !== 'table') return { ...common, kind: 'shared', reason: 'a view' }
  if (own !== undefined) return { ...common, kind: 'own', reason: reasonOf(own, table, users) }
  if (tenant !== undefined) return { ...common, kind: 'tenant', reason: 'its rows have a tenant' }
  return { ...common, kind: 'shared', reason: 'nothing says whose its rows are' }
}

function reasonOf(own: RowFilter, table: Table, users: UserTable | undefined): string {
  if (table === users?.table) return 'the caller is a row of it'
  const [name = '', value] = Object.entries(own)[0] ?? []
  return typeof value === 'string' ? `"${name}" names the owner` : `belongs to its "${name}"`
}

function directOwner(table: Table, users: UserTable | undefined): RowFilter | undefined {
  const value = `$user.${users?.key.name ?? 'id'}`
  if (table === users?.table) return { [users.key.name]: value }
  const ranked = table.columns
    .map((column) => ({ column, rank: rankOf(column, table, users) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
  const [best] = ranked
  return best === undefined ? undefined : { [best.column.name]: value }
}

/** Accounts without a user table have a text as their id. */
const textOids: ReadonlySet<number> = new Set([25, 1043, 1042, 2950])

function rankOf(column: Column, table: Table, users: UserTable | undefined): number {
  const rank = ownerRank(column.name, users?.table.name)
  if (users === undefined) return textOids.has(column.type.oid) ? rank : 0
  const refers = table.foreignKeys.some(
    (key) =>
      key.table === users.table.key &&
      key.columns.length === 1 &&
      key.columns[0] === column.ordinal &&
      key.references[0] === users.key.name,
  )
  if (refers) return 20 + rank
  const isReference = table.foreignKeys.some((key) => key.columns.includes(column.ordinal))
  return isReference || column.type.oid !== users.key.type.oid ? 0 : rank
}

/** Tables that refer to a table with owners, by a relation of one column. */
function inherited(
  tables: readonly Table[],
  owners: ReadonlyMap<Table, RowFilter>,
  connection: Connection,
): readonly (readonly [Table, RowFilter])[] {
  return tables.flatMap((table) => {
    if (owners.has(table) || table.kind !== 'table') return []
    for (const [name, relation] of table.relationships) {
      const far = connection.tables.get(relation.table)
      const own = far && owners.get(far)
      const refers = table.foreignKeys.some(
        (key) =>
          key.table === relation.table &&
          key.columns.map((at) => table.columns[at]?.name).join() === relation.from.join(),
      )
      if (own !== undefined && refers && relation.type !== 'many-to-many') {
        return [[table, { [name]: own }] as const]
      }
    }
    return []
  })
}

/** Values of the filters that are plain columns of the table. */
function presetOf(table: Table, filters: readonly (RowFilter | undefined)[]): RowFilter {
  const entries = filters
    .flatMap((filter) => Object.entries(filter ?? {}))
    .filter(
      ([name, value]) =>
        typeof value === 'string' && table.columns.some((column) => column.name === name),
    )
  return Object.fromEntries(entries)
}

function isWritable({ generated, ordinal, hasDefault }: Column, { primaryKey }: Table): boolean {
  return generated === 'no' && !(primaryKey.includes(ordinal) && hasDefault)
}
