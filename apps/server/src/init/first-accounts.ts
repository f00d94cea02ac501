/** @module How the first people get an account: by signing up, or by an invitation that fills the columns of their row. */
import type { Answers } from './guess-access.ts'

/** Columns of the user table without which an account is of no use, and which a sign-up does not fill. */
export function missingAtSignUp({ users, tenancy }: Answers): readonly string[] {
  if (users === undefined) return []
  const { table, unfilled } = users
  const tenant = table.columns.find(({ name }) => name === tenancy?.column)
  const isMissing =
    tenancy?.isOfUser === true &&
    tenant !== undefined &&
    !tenant.hasDefault &&
    !unfilled.includes(tenant.name)
  return isMissing ? [tenant.name, ...unfilled] : unfilled
}

/** The value of `--fields` for a person who has no row: `{"tenant_id":"…"}`. */
export function invitedFields(missing: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(missing.map((name) => [name, '…'])))
}
