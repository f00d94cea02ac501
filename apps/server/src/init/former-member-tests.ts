/** @module Tests that people who are invited, removed or expired see nothing of a tenant. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import type { PermissionTest } from '../permission-tests/test-file.ts'
import type { TableAccess } from './guess-access.ts'
import { membershipOf, userStatus } from './guess-tenant.ts'
import type { MembershipStatus } from './membership-status.ts'
import { quote } from './quote.ts'
import { type Condition, callerOf, type RowTests, rowIs, select } from './row-tests.ts'
import { inComment } from './source-text.ts'

export interface FormerMemberTests extends RowTests {
  readonly tables: readonly TableAccess[]
  readonly database: Pick<Connection, 'tables' | 'types'>
}

/** More columns than that are not tried. */
const mostColumns = 6

/** One for each column that says whether a membership counts; the row is changed, read by its member, and rolled back. */
export function formerMemberTests(options: FormerMemberTests): readonly PermissionTest[] {
  const members = membersOf(options)
  const read = members && rowOfTenant(members.table, options)
  if (members === undefined || read === undefined) return []
  const { access, row, as } = read
  const fields = options.samples.tables.get(access.table)?.fields ?? {}
  const { connection, users } = options
  const target = `${quote(connection)}.${quote(members.table.name)}`
  return members.status.over.slice(0, mostColumns).map(([column, value]) => ({
    name: `a user whose row of ${inComment(members.table.name)} does not count, by its ${inComment(column)}, sees no row of ${inComment(access.table.name)}`,
    as,
    given: [
      {
        sql: `update ${target} set ${quote(column)} = $1 where ${quote(members.user.name)} = $2`,
        params: [value, fields[users?.key.name ?? '']],
      },
    ],
    ...select(access, [row], options),
    expect: { rows: [] },
  }))
}

interface Members {
  readonly table: Table
  readonly user: Column
  readonly status: MembershipStatus
}

function membersOf({ users, tenancy, database }: FormerMemberTests): Members | undefined {
  if (users === undefined || tenancy === undefined) return undefined
  if (!tenancy.isOfUser) return membershipOf(tenancy, database, users)
  return { table: users.table, user: users.key, status: userStatus(users, database) }
}

interface RowOfTenant {
  readonly access: TableAccess
  readonly row: Condition
  readonly as: PermissionTest['as']
}

/** A row that a caller sees as a member. */
function rowOfTenant(members: Table, options: FormerMemberTests): RowOfTenant | undefined {
  for (const access of options.tables) {
    const { table, tenant, undecided } = access
    const found = options.samples.tables.get(table)
    const isOfMembers = tenant === undefined || undecided !== undefined || table === members
    if (isOfMembers || found === undefined) continue
    const row = found.own ?? found.ofTenant
    if (row === undefined) continue
    const role = found.own === undefined ? 'staff' : 'user'
    return { access, row: rowIs(row), as: callerOf(role, found.fields, options) }
  }
  return undefined
}
