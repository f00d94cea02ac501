/** @module What users may write of their own rows: nothing that decides about access, and nothing of other people. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import { requiredColumns } from '../configuration/required-columns.ts'
import { isProfileColumn } from './access-names.ts'
import type { AccessTables } from './access-tables.ts'
import { looksLikeTenant, looksPrivileged, looksSecret, wordsOf } from './column-names.ts'
import type { UserTable } from './guess-users.ts'
import { areComparable, type Reference, referencesOf, through } from './references.ts'
import { allFilters, bothFilters, type RowFilter } from './row-filter.ts'
import { isMoment, now, stampOf } from './stamps.ts'

/** What is granted where users may write. */
export interface TableWrites {
  readonly insert?: {
    readonly columns: readonly string[]
    readonly preset?: RowFilter
    readonly check?: RowFilter
  }
  readonly update?: {
    readonly columns: readonly string[]
    readonly where: RowFilter
    readonly preset?: RowFilter
    readonly check?: RowFilter
  }
  readonly delete?: { readonly where: RowFilter }
  /** Why something is not granted, one sentence each. */
  readonly comments: readonly string[]
}

export interface WriteContext {
  readonly connection: Connection
  readonly users: UserTable | undefined
  /** The caller's own key: `$user.id`. */
  readonly callerKey: string
  readonly access: AccessTables
  /** Rows that a user sees; undefined where nothing says whose they are. */
  readonly visible: (table: Table) => RowFilter | undefined
  /** Rows of the caller's tenants. */
  readonly tenant: (table: Table) => RowFilter | undefined
  /** No permission is written for it. */
  readonly isHidden: (table: Table) => boolean
  /** Nothing says whether the memberships count that its rows are seen by. */
  readonly isUndecided: (table: Table) => boolean
}

/** @param own the condition on the owner; its plain columns get the caller's values. */
export function guessWrites(table: Table, own: RowFilter, context: WriteContext): TableWrites {
  const where = context.visible(table) ?? {}
  const owners = ownerPresets(table, [own, where])
  const columns = columnsOf(table, owners, context)
  const presets = stampPresets(table, owners, context)
  if (table === context.users?.table) {
    return { ...updateOf(columns, where, presets), comments: columns.comments }
  }
  const { insert, comments } = insertOf(table, columns, where, { ...owners, ...presets.insert })
  const guarded = cascadesTo(table, context)
  return {
    ...(insert === undefined ? {} : { insert }),
    ...updateOf(columns, where, presets),
    ...(guarded === undefined ? { delete: { where } } : {}),
    comments: [
      ...columns.comments,
      ...comments,
      ...(guarded === undefined
        ? []
        : [`No deletes: ON DELETE CASCADE would delete rows of ${guarded.name}, too.`]),
    ],
  }
}

interface WritableColumns {
  readonly insertable: readonly string[]
  readonly updatable: readonly string[]
  /** By column: the row that it refers to is one that the caller sees. */
  readonly checks: ReadonlyMap<string, RowFilter>
  readonly comments: readonly string[]
}

function columnsOf(table: Table, owners: RowFilter, context: WriteContext): WritableColumns {
  const { users } = context
  const references = referencesOf(table, context.connection)
  const checks = new Map<string, RowFilter>()
  const closed = new Map<string, string>()
  for (const reference of references) {
    const names = reference.columns.map(({ name }) => name)
    const filter = referable(reference, context)
    if (typeof filter === 'string') for (const name of names) closed.set(name, filter)
    else if (filter !== undefined) {
      const check = orNull(reference, through(reference, filter))
      for (const name of names) checks.set(name, allFilters([checks.get(name), check]))
    }
  }
  const referring = new Set(references.flatMap(({ columns }) => columns))
  const keepsFilter = context.tenant(table) !== undefined
  const isPersonal = table === users?.table || isExtension(table, owners)
  const isWritable = (column: Column): boolean => {
    const { name, generated, ordinal, hasDefault } = column
    const isOwnKey = table.primaryKey.includes(ordinal)
    if (generated !== 'no' || (isOwnKey && hasDefault)) return false
    if (looksSecret(name) || looksPrivileged(name) || stampOf(name) !== undefined) return false
    if (Object.hasOwn(owners, name) || closed.has(name)) return false
    if (isPersonal && !isProfileColumn(name)) return false
    if (isPolymorphic(column, table, referring)) return false
    if (referring.has(column)) return true
    if (looksLikeTenant(name)) return keepsFilter
    // It may refer to a table that is not seen: of another schema, or without a foreign key.
    return (isOwnKey && table.primaryKey.length === 1) || !/ (?:id|uuid)$/.test(wordsOf(name))
  }
  const insertable = table.columns.filter(isWritable)
  const isKey = ({ ordinal }: Column) => table.primaryKey.includes(ordinal)
  return {
    insertable: insertable.map(({ name }) => name),
    updatable: insertable.filter((column) => !isKey(column)).map(({ name }) => name),
    checks,
    comments: [...closed]
      .filter(([name]) => !Object.hasOwn(owners, name) && stampOf(name) === undefined)
      .map(([name, why]) => `"${name}" is not writable: ${why}.`),
  }
}

/** @returns the condition on the row, why no row may be referred to, or undefined: any may. */
function referable(
  { table }: Reference,
  { users, access, visible, tenant, isHidden, isUndecided }: WriteContext,
): RowFilter | string | undefined {
  if (isUndecided(table)) return `nothing says who sees the rows of ${table.name}`
  // Colleagues may be named, where a user has one tenant.
  if (table === users?.table) return tenant(table) ?? visible(table)
  const isAccess = access.reasons.has(table)
  if (isAccess || isHidden(table)) {
    return (isAccess ? tenant(table) : undefined) ?? `${table.name} decides about access`
  }
  const filter = visible(table)
  if (filter !== undefined) return filter
  return access.bordered.has(table) ? `nothing says whose the rows of ${table.name} are` : undefined
}

/** A row that refers to nothing needs no row that is visible. */
function orNull({ columns }: Reference, filter: RowFilter): RowFilter {
  const nullable = columns.filter((column) => column.nullable)
  if (nullable.length === 0) return filter
  return { $or: [...nullable.map(({ name }) => ({ [name]: { $isNull: true } })), filter] }
}

/** One row for each user, beside the row of the user: profiles, settings. */
function isExtension({ primaryKey, uniqueKeys, columns }: Table, owners: RowFilter): boolean {
  return [primaryKey, ...uniqueKeys].some(([at, ...more]) => {
    const name = columns[at ?? -1]?.name
    return more.length === 0 && name !== undefined && Object.hasOwn(owners, name)
  })
}

/** `commentable_id` beside `commentable_type`: which table is referred to, only a row says. */
function isPolymorphic(column: Column, table: Table, referring: ReadonlySet<Column>): boolean {
  const words = wordsOf(column.name)
  const all = table.columns.map(({ name }) => wordsOf(name))
  const [, ofType] = /^(.+) (?:type|class|model)(?: id)?$/.exec(words) ?? []
  if (ofType !== undefined) {
    return all.includes(`${ofType} id`) || (ofType === 'content' && all.includes('object id'))
  }
  if (referring.has(column)) return false
  const [, ofId] = /^(.+) (?:id|uuid|key)$/.exec(words) ?? []
  if (ofId === undefined) return false
  return (
    ['type', 'class', 'model'].some((kind) => all.includes(`${ofId} ${kind}`)) ||
    (ofId === 'object' && all.some((name) => name.startsWith('content type')))
  )
}

/** Values of the filters that are plain columns of the table. */
function ownerPresets(table: Table, filters: readonly RowFilter[]): RowFilter {
  const entries = filters
    .flatMap((filter) => Object.entries(filter))
    .filter(
      ([name, value]) =>
        typeof value === 'string' && table.columns.some((column) => column.name === name),
    )
  return Object.fromEntries(entries)
}

interface StampPresets {
  readonly insert: RowFilter
  readonly update: RowFilter
}

/** Who made a row and when, as the engine knows it. A default of the database stays. */
function stampPresets(table: Table, owners: RowFilter, context: WriteContext): StampPresets {
  const insert: Record<string, unknown> = {}
  const update: Record<string, unknown> = {}
  const { users, connection, callerKey } = context
  const references = referencesOf(table, connection)
  for (const column of table.columns) {
    const { name, generated, hasDefault } = column
    const stamp = stampOf(name)
    if (stamp === undefined || generated !== 'no' || Object.hasOwn(owners, name)) continue
    if (table.primaryKey.includes(column.ordinal)) continue
    if (stamp === 'maker' || stamp === 'changer') {
      const target = references.find(({ columns }) => columns.includes(column))?.table
      const fits = users !== undefined && areComparable(column, users.key)
      if (users === undefined || !fits || (target ?? users.table) !== users.table) continue
      if (table !== users.table) insert[name] = callerKey
      if (stamp === 'changer') update[name] = callerKey
      continue
    }
    if (!isMoment(column)) continue
    if (!hasDefault) insert[name] = now
    if (stamp === 'changed') update[name] = now
  }
  return { insert, update }
}

function insertOf(
  table: Table,
  { insertable, checks }: WritableColumns,
  where: RowFilter,
  preset: RowFilter,
): Pick<TableWrites, 'insert' | 'comments'> {
  const missing = requiredColumns(table).filter(
    ({ name }) => !insertable.includes(name) && !Object.hasOwn(preset, name),
  )
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(', ')
    return { comments: [`No inserts: ${names} would need a value, and users may not set it.`] }
  }
  if (insertable.length === 0) return { comments: [] }
  const isWhole = Object.entries(where).every(([name, value]) => preset[name] === value)
  const check = allFilters([isWhole ? undefined : where, ...checksOf(insertable, checks)])
  return {
    insert: {
      columns: insertable,
      ...(Object.keys(preset).length === 0 ? {} : { preset }),
      ...(Object.keys(check).length === 0 ? {} : { check }),
    },
    comments: [],
  }
}

function updateOf(
  { updatable, checks }: WritableColumns,
  where: RowFilter,
  { update }: StampPresets,
): Pick<TableWrites, 'update'> {
  if (updatable.length === 0) return {}
  const found = checksOf(updatable, checks)
  const preset = Object.fromEntries(
    Object.entries(update).filter(([name]) => !updatable.includes(name)),
  )
  return {
    update: {
      columns: updatable,
      where,
      ...(Object.keys(preset).length === 0 ? {} : { preset }),
      ...(found.length === 0 ? {} : { check: allFilters([where, ...found]) }),
    },
  }
}

function checksOf(
  columns: readonly string[],
  checks: ReadonlyMap<string, RowFilter>,
): readonly RowFilter[] {
  return columns.map((name) => checks.get(name)).filter((check) => check !== undefined)
}

/** A table that users only read, and whose rows would be deleted with a row of this one. */
function cascadesTo(
  table: Table,
  { connection, access, isHidden }: WriteContext,
): Table | undefined {
  return [...connection.tables.values()].find(
    (child) =>
      (access.reasons.has(child) || isHidden(child)) &&
      child.foreignKeys.some((key) => key.table === table.key && key.cascades === true),
  )
}

/** Both of them; undefined where there is none. */
export function visibleRows(
  tenant: RowFilter | undefined,
  own: RowFilter | undefined,
): RowFilter | undefined {
  return tenant === undefined && own === undefined ? undefined : bothFilters(tenant, own)
}
