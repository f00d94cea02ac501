/** @module Tests that try to break in: join a tenant, move a row, write for others, raise one's own rights. */
import type { Column, Connection } from '@engine/core/catalog'
import type { PermissionTest } from '../permission-tests/test-file.ts'
import { looksLikeTenant, looksPrivileged } from './column-names.ts'
import type { WrittenPermission } from './first-permissions.ts'
import type { TableAccess } from './guess-access.ts'
import { quote } from './quote.ts'
import { type Reference, referencesOf } from './references.ts'
import { callerOf, type RowTests } from './row-tests.ts'
import type { RowKey, TableSample } from './sample-rows.ts'
import { inComment } from './source-text.ts'

export interface BreakIns extends RowTests {
  readonly tables: readonly TableAccess[]
  readonly database: Pick<Connection, 'tables'>
  /** What the role `user` may do, by table name. */
  readonly granted: ReadonlyMap<string, WrittenPermission>
}

const refused = { error: 'PERMISSION_DENIED' } as const
const none = { affected: 0 } as const

/** Attempts that must fail, whatever else a person grants. */
export function breakInTests(options: BreakIns): readonly PermissionTest[] {
  const reachable = options.tables.filter(({ table }) => options.granted.has(table.name))
  return [
    ...reachable.flatMap((access) => accessTests(access, options)),
    ...reachable.flatMap((access) => rightsTests(access, options)),
    ...reachable.flatMap((access) => [
      ...othersTests(access, options),
      ...moveTests(access, options),
    ]),
  ]
}

/** A table that decides about access takes no row and no change. */
function accessTests(access: TableAccess, options: BreakIns): readonly PermissionTest[] {
  const { table, readOnly } = access
  if (readOnly === undefined) return []
  const target = at(access, options)
  const of = inComment(table.name)
  const isMembership = table.name === options.tenancy?.memberships
  const chosen = chosenValues(access, options)
  const [changed] = chosen.at(-1) ?? []
  if (changed === undefined) return []
  const names = chosen.map(([{ name }]) => quote(name)).join(', ')
  const places = chosen.map((_, index) => `$${index + 1}`).join(', ')
  return [
    {
      name: isMembership
        ? `a user joins no tenant by a row of ${of}`
        : `a user adds no row to ${of}`,
      as: 'user',
      sql: `insert into ${target} (${names}) values (${places})`,
      params: chosen.map(([, value]) => value),
      expect: refused,
    },
    {
      name: `a user changes no row of ${of}`,
      as: 'user',
      sql: `update ${target} set ${quote(changed.name)} = ${quote(changed.name)}`,
      expect: refused,
    },
  ]
}

/** Without the column of the user: a preset may set it, and then it is not named. */
function chosenValues(
  { table }: TableAccess,
  options: BreakIns,
): readonly (readonly [Column, unknown])[] {
  const references = referencesOf(table, options.database)
  const found = references.filter(({ table: target }) => target !== options.users?.table)
  const values = found.flatMap((reference) =>
    reference.columns.map((column) => [column, strangersKey(reference, options) ?? null] as const),
  )
  // Two references may share a column.
  if (values.length > 0) return [...new Map(values)]
  const referring = new Set(references.flatMap(({ columns }) => columns))
  const rest = table.columns.filter((column) => column.generated === 'no' && !referring.has(column))
  const column = rest.find(({ ordinal }) => !table.primaryKey.includes(ordinal)) ?? rest[0]
  return column === undefined ? [] : [[column, null]]
}

/** Roles, tenants and the like in one's own row. */
function rightsTests(access: TableAccess, options: BreakIns): readonly PermissionTest[] {
  const { table, columns, readOnly } = access
  if (table !== options.users?.table || readOnly !== undefined) return []
  const writable = options.granted.get(table.name)?.update?.columns ?? []
  return table.columns
    .filter(({ name, generated }) => generated === 'no' && columns.includes(name))
    .filter(({ name }) => looksPrivileged(name) || looksLikeTenant(name))
    .filter(({ name }) => !writable.includes(name))
    .map(({ name }) => ({
      name: `a user does not set ${inComment(name)} of ${inComment(table.name)}`,
      as: 'user',
      sql: `update ${at(access, options)} set ${quote(name)} = ${quote(name)}`,
      expect: refused,
    }))
}

/** Rows of others are neither changed nor deleted. */
function othersTests(access: TableAccess, options: BreakIns): readonly PermissionTest[] {
  const { table } = access
  const permission = options.granted.get(table.name)
  const found = options.samples.tables.get(table)
  const row = found?.ofStrangers ?? found?.ofOthers
  const [column] = permission?.update?.columns ?? []
  if (found === undefined || row === undefined) return []
  const as = callerOf('user', found.fields, options)
  const of = inComment(table.name)
  const { where, params } = rowIs(row, 1)
  return [
    ...(column === undefined
      ? []
      : [
          {
            name: `a user does not change a row of ${of} of another user`,
            as,
            sql: `update ${at(access, options)} set ${quote(column)} = ${quote(column)} where ${where}`,
            params,
            expect: none,
          },
        ]),
    ...(permission?.delete === undefined
      ? []
      : [
          {
            name: `a user does not delete a row of ${of} of another user`,
            as,
            sql: `delete from ${at(access, options)} where ${where}`,
            params,
            expect: none,
          },
        ]),
  ]
}

/** One's own row does not come to refer to a row of others. */
function moveTests(access: TableAccess, options: BreakIns): readonly PermissionTest[] {
  const { table } = access
  const writable = options.granted.get(table.name)?.update?.columns ?? []
  const found = options.samples.tables.get(table)
  if (found?.own === undefined) return []
  const { own, fields } = found
  return referencesOf(table, options.database).flatMap((reference): readonly PermissionTest[] => {
    const [column] = reference.columns
    if (column === undefined || !writable.includes(column.name)) return []
    const key = strangersKey(reference, options, fields)
    if (key === undefined) return []
    const { where, params } = rowIs(own, 2)
    const name = quote(column.name)
    return [
      {
        name: `a row of ${inComment(table.name)} does not move to ${inComment(reference.table.name)} of another user`,
        as: callerOf('user', fields, options),
        sql: `update ${at(access, options)} set ${name} = $1 where ${where}`,
        params: [key, ...params],
        expect: { error: 'VALIDATION_ERROR' },
      },
    ]
  })
}

/** The key of a row that the caller does not see. @param fields of the caller, where it matters whose row it is not. */
function strangersKey(
  { table, columns, to }: Reference,
  { samples }: BreakIns,
  fields?: TableSample['fields'],
): unknown {
  const found = samples.tables.get(table)
  if (columns.length > 1 || (fields !== undefined && found?.fields !== fields)) return undefined
  return (found?.ofStrangers ?? found?.ofOthers)?.[to[0] ?? '']
}

function rowIs(
  row: RowKey,
  first: number,
): { readonly where: string; readonly params: readonly unknown[] } {
  const names = Object.keys(row)
  const where = names.map((name, index) => `${quote(name)} = $${index + first}`).join(' and ')
  return { where, params: Object.values(row) }
}

function at({ table }: TableAccess, { connection }: BreakIns): string {
  return `${quote(connection)}.${quote(table.name)}`
}
