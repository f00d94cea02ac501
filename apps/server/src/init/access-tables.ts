/** @module The tables that decide who may do what: users only read them, whatever else is guessed. */
import type { Connection, Table } from '@engine/core/catalog'
import {
  decidesAccess,
  isHarmlessLink,
  isInvitationTable,
  isKeyValue,
  isLookupTable,
  isMemberTable,
} from './access-names.ts'
import { looksCredential, singular, wordsOf } from './column-names.ts'
import type { Scope } from './guess-scopes.ts'
import { membershipOf, type Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { type Reference, referencesOf } from './references.ts'
import { stampOf } from './stamps.ts'

export interface AccessTables {
  /** Why the table is read-only by guess: a part of a sentence. */
  readonly reasons: ReadonlyMap<Table, string>
  /** Tables whose rows some users belong to, and those that refer to them: a reference to one may cross a border. */
  readonly bordered: ReadonlySet<Table>
}

interface Known {
  /** Rows belong to a group of callers by a column that refers to `target`. */
  readonly scope?: Scope | undefined
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  /** The table has an owner, in itself or in what it refers to. */
  readonly hasOwner: (table: Table) => boolean
}

export function accessTables(connection: Connection, known: Known): AccessTables {
  const tables = [...connection.tables.values()].filter(({ kind }) => kind === 'table')
  const references = new Map(tables.map((table) => [table, referencesOf(table, connection)]))
  const reasons = new Map<Table, string>()
  for (const table of tables) {
    const reason = reasonOf(table, references.get(table) ?? [], connection, known)
    if (reason !== undefined) reasons.set(table, reason)
  }
  return { reasons, bordered: borderedTables(references, reasons, known) }
}

function reasonOf(
  table: Table,
  references: readonly Reference[],
  connection: Connection,
  { users, tenancy, scope, hasOwner }: Known,
): string | undefined {
  const isGroup = scope?.isGroup === true
  if (table === users?.table) return isGroup ? 'its rows are people who sign in' : undefined
  if (isGroup && table === scope.target) return 'it is the tenant'
  const members =
    tenancy === undefined || users === undefined
      ? undefined
      : membershipOf(tenancy, connection, users)
  const { columns } = table
  const name = withoutUsers(table.name, users)
  if (table === members?.table) return 'the tenants of a user come from it'
  if (isInvitationTable(name)) return 'who writes an invitation admits oneself'
  if (table === tenantsOf(tenancy, members?.tenants, users, connection)) return 'it is the tenant'
  if (isMemberTable(name)) return 'it says who belongs to what'
  if (decidesAccess(name)) return 'it says what somebody may do'
  const credential = columns.find((column) => looksCredential(column.name))
  if (credential !== undefined) return `its "${credential.name}" is a credential`
  if (hasOwner(table) && isKeyValue(columns.map((column) => column.name))) {
    return 'any key can be written to a table of keys and values, also one that is a right'
  }
  if (users !== undefined && isLink(table, references, users) && !isHarmlessLink(name)) {
    return 'it links users with rows of another table, as memberships do'
  }
  return undefined
}

/** `member_profiles` says no more about members than `profiles` where `members` are the users. */
function withoutUsers(name: string, users: UserTable | undefined): string {
  const words = wordsOf(name)
  const noun = users === undefined ? '' : `${singular(wordsOf(users.table.name))} `
  return noun !== '' && words.startsWith(noun) && !isMemberTable(words.slice(noun.length))
    ? words.slice(noun.length)
    : name
}

function tenantsOf(
  tenancy: Tenancy | undefined,
  tenants: Table | undefined,
  users: UserTable | undefined,
  connection: Connection,
): Table | undefined {
  if (tenancy?.isOfUser !== true || users === undefined) return tenants
  return referencesOf(users.table, connection).find(({ columns: [column] }) => {
    return column?.name === tenancy.column
  })?.table
}

/** A key of references, or nothing but references and when they were made; one of them is to the users. */
function isLink(
  table: Table,
  references: readonly Reference[],
  { table: users }: UserTable,
): boolean {
  const referring = new Set(references.flatMap(({ columns }) => columns))
  // A key of the user and of another row, whatever else the row says.
  const keys = table.primaryKey.flatMap((at) => table.columns[at] ?? [])
  if (keys.length > 1 && keys.every((key) => referring.has(key))) {
    const isOfUser = (reference: Reference) =>
      reference.table === users && reference.columns.some((column) => keys.includes(column))
    if (references.some(isOfUser)) return true
  }
  const targets = references.filter(({ table: target }) => target !== users)
  return (
    references.some(({ table: target }) => target === users) &&
    targets.length > 0 &&
    table.columns.every(
      (column) =>
        referring.has(column) ||
        table.primaryKey.includes(column.ordinal) ||
        stampOf(column.name) !== undefined,
    )
  )
}

function borderedTables(
  references: ReadonlyMap<Table, readonly Reference[]>,
  reasons: ReadonlyMap<Table, string>,
  { users }: Known,
): ReadonlySet<Table> {
  const bordered = new Set<Table>()
  for (const [table, found] of references) {
    if (!reasons.has(table) || users === undefined) continue
    if (!found.some((reference) => reference.table === users.table)) continue
    for (const { table: target } of found) if (target !== users.table) bordered.add(target)
  }
  for (const { table } of users === undefined ? [] : (references.get(users.table) ?? [])) {
    if (table !== users?.table && !isLookupTable(table.name)) bordered.add(table)
  }
  // A set gives the members that are added while it is walked.
  for (const target of bordered) {
    for (const [table, found] of references) {
      if (table !== users?.table && found.some((each) => each.table === target)) bordered.add(table)
    }
  }
  return bordered
}
