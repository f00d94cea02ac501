/** @module Tests that callers read their own rows and no others, with rows that were there when they were written. */
import type { Column } from '@engine/core/catalog'
import type { PermissionTest, TestCaller } from '../permission-tests/test-file.ts'
import type { TableAccess } from './guess-access.ts'
import type { Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { quote } from './quote.ts'
import type { RowFilter } from './row-filter.ts'
import type { Fields, RowKey, Samples, TableSample } from './sample-rows.ts'
import { inComment } from './source-text.ts'

export interface RowTests {
  readonly connection: string
  readonly users: UserTable | undefined
  readonly tenancy: Tenancy | undefined
  readonly samples: Samples
  /** The fields of the callers `user` and `staff`. */
  readonly fields: Fields
}

/** Why a name of a test ends so, the head of the file explains. */
export const provesNothing = '(proves nothing yet: no row was found)'

/** Rows of the caller, which another user and a user of another tenant do not see. */
export function testsOfUser(access: TableAccess, options: RowTests): readonly PermissionTest[] {
  const { table, own, tenant, kind } = access
  const found = options.samples.tables.get(table)
  const of = inComment(table.name)
  const whose = kind === 'own' ? 'their own rows' : 'rows of their tenant'
  const name = `users see ${whose} of ${of} only`
  if (found?.own === undefined) return withoutRows(name, access, options)
  const { fields } = found
  const others = [
    ...othersBy(access, own, found.ofOthers, fields),
    ...othersBy(access, tenant, found.ofStrangers, fields),
  ]
  return [
    {
      name,
      as: callerOf('user', fields, options),
      ...select(access, [rowIs(found.own), ...others], options),
      expect: { rows: [Object.values(found.own)] },
    },
    ...(own === undefined
      ? []
      : [
          {
            name: `another user does not see that row of ${of}`,
            as: { roles: ['user'], fields: { ...fields, ...anotherUser(fields, options) } },
            ...select(access, [rowIs(found.own)], options),
            expect: { rows: [] },
          },
        ]),
    ...fromAnotherTenant('user', access, found.own, found, options),
  ]
}

/** Rows of the tenant, which staff of another tenant does not see. Without tenants staff sees everything. */
export function testsOfStaff(access: TableAccess, options: RowTests): readonly PermissionTest[] {
  const { table, tenant } = access
  const found = options.samples.tables.get(table)
  if (found?.ofTenant === undefined) return []
  const others = othersBy(access, tenant, found.ofStrangers, found.fields)
  return [
    {
      name: `staff sees rows of its tenant of ${inComment(table.name)} only`,
      as: callerOf('staff', found.fields, options),
      ...select(access, [rowIs(found.ofTenant), ...others], options),
      expect: { rows: [Object.values(found.ofTenant)] },
    },
    ...fromAnotherTenant('staff', access, found.ofTenant, found, options),
  ]
}

/** The same user with another tenant: true only where the tenant is a field of the caller. */
function fromAnotherTenant(
  role: string,
  access: TableAccess,
  row: RowKey,
  { fields }: TableSample,
  options: RowTests,
): readonly PermissionTest[] {
  const { users, tenancy } = options
  const column = users?.table.columns.find(({ name }) => name === tenancy?.column)
  if (tenancy?.isOfUser !== true || column === undefined || access.tenant === undefined) return []
  const tenant = another(column, fields[column.name], options)
  return [
    {
      name: `${role} of another tenant does not see that row of ${inComment(access.table.name)}`,
      as: { roles: [role], fields: { ...fields, [column.name]: tenant } },
      ...select(access, [rowIs(row)], options),
      expect: { rows: [] },
    },
  ]
}

/** The caller that the file names, where it has these fields. */
export function callerOf(
  role: 'user' | 'staff',
  fields: Fields,
  options: RowTests,
): string | TestCaller {
  return fields === options.fields ? role : { roles: [role], fields }
}

function anotherUser(fields: Fields, options: RowTests): Fields {
  const key = options.users?.key
  if (key === undefined) return { id: 'another' }
  return { [key.name]: another(key, fields[key.name], options) }
}

/** The value of another caller; an invented one where all of them have the same. */
function another(column: Column, value: unknown, { samples }: RowTests): unknown {
  const values = samples.callers.map((fields) => fields[column.name])
  const found = values.find((each) => each !== undefined && each !== value)
  const [one, two] = inventedValues(column)
  return found ?? (String(value) === String(one) ? two : one)
}

const integers: ReadonlySet<number> = new Set([20, 21, 23, 1700])

/** Two values that fit the type of the column. */
export function inventedValues({ type }: Column): readonly [unknown, unknown] {
  return integers.has(type.oid)
    ? [1, 2]
    : ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
}

/** Which rows are asked for: all comparisons hold. */
export type Condition = readonly Comparison[]

export interface Comparison {
  readonly column: string
  readonly operator: '=' | '<>'
  readonly value: unknown
}

export function rowIs(row: RowKey): Condition {
  return Object.entries(row).map(([column, value]) => ({ column, operator: '=', value }))
}

/** All rows with another value where the table has the column, else a row for which the filter does not hold. */
function othersBy(
  { columns }: TableAccess,
  filter: RowFilter | undefined,
  row: RowKey | undefined,
  fields: Fields,
): readonly Condition[] {
  const [name = '', value] = Object.entries(filter ?? {})[0] ?? []
  if (typeof value === 'string' && columns.includes(name)) {
    const field = value.replace(/^\$user\./, '')
    return [[{ column: name, operator: '<>', value: fields[field] }]]
  }
  return row === undefined ? [] : [rowIs(row)]
}

/** Asks for the keys of these rows. */
export function select(
  { table }: TableAccess,
  conditions: readonly Condition[],
  { connection }: RowTests,
): { readonly sql: string; readonly params: readonly unknown[] } {
  const columns = table.primaryKey.flatMap((at) => table.columns[at]?.name ?? [])
  const params: unknown[] = []
  const where = conditions.map((condition) => {
    const compared = condition.map(
      ({ column, operator, value }) => `${quote(column)} ${operator} $${params.push(value)}`,
    )
    return compared.length === 1 ? compared.join() : `(${compared.join(' and ')})`
  })
  const from = `${quote(connection)}.${quote(table.name)}`
  const sql = `select ${columns.map(quote).join(', ')} from ${from} where ${where.join(' or ')}`
  return { sql, params }
}

/** No row of the caller exists: what is written holds, whatever the permission is. */
function withoutRows(
  name: string,
  { table, own, columns }: TableAccess,
  { connection, fields }: RowTests,
): readonly PermissionTest[] {
  const [column = '', value] = Object.entries(own ?? {})[0] ?? []
  if (typeof value !== 'string' || !columns.includes(column)) return []
  const sql = `select count(*)::int from ${quote(connection)}.${quote(table.name)} where ${quote(column)} <> $1`
  const params = [fields[value.replace(/^\$user\./, '')]]
  return [{ name: `${name} ${provesNothing}`, as: 'user', sql, params, expect: { rows: [[0]] } }]
}
