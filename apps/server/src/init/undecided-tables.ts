/** @module Tables that are reached through memberships of which nothing says whether they count. */
import type { Connection, Table } from '@engine/core/catalog'
import { decidesAccess, isInvitationTable, isMemberTable } from './access-names.ts'
import { membershipOf, type Tenancy } from './guess-tenant.ts'
import type { UserTable } from './guess-users.ts'
import { type MembershipStatus, membershipStatus } from './membership-status.ts'

export interface Undecided {
  /** Which rows of a table of members, rights or invitations count; undefined for other tables. */
  readonly statusOf: (table: Table) => MembershipStatus | undefined
  /** Notes that the rows of `table` are seen by those that they refer to, if these count. */
  readonly refer: (table: Table, to: Table) => void
  /** Why nothing is granted on the table before a person decides: a sentence. */
  readonly why: (table: Table) => string | undefined
}

export function createUndecided(
  connection: Connection,
  { tenancy }: { readonly tenancy: Tenancy | undefined },
): Undecided {
  const reasons = new Map<Table, string>()
  const statusOf = (table: Table): MembershipStatus | undefined => {
    const isOfMembers = [isMemberTable, decidesAccess, isInvitationTable].some((is) =>
      is(table.name),
    )
    return isOfMembers || table.name === tenancy?.memberships
      ? membershipStatus(table, connection)
      : undefined
  }
  return {
    statusOf,
    refer: (table, to) => {
      const why = reasons.get(to) ?? reasonOf(to, statusOf(to))
      if (why !== undefined) reasons.set(table, why)
    },
    why: (table) => reasons.get(table),
  }
}

/** The table of memberships, where its columns do not tell which of its rows count. */
export function unclearMemberships(
  connection: Connection,
  users: UserTable | undefined,
  tenancy: Tenancy | undefined,
): Table | undefined {
  if (users === undefined || tenancy === undefined) return undefined
  const members = membershipOf(tenancy, connection, users)
  return members?.status.unclear === undefined ? undefined : members.table
}

function reasonOf({ name }: Table, status: MembershipStatus | undefined): string | undefined {
  if (status?.unclear === undefined) return undefined
  return `Not granted: ${status.unclear} of ${name} may say that a person is invited, removed or expired. Add the condition.`
}
