/** @module The combined grants of a configuration's permissions for each role, table and operation. */
import type { Operation } from './explanation.ts'

/** Plain data that JSON can express. An operation without an entry is refused. */
export interface PermissionMatrix {
  /** Neither authentication nor permissions: every caller may do everything, also with unknown tables. */
  readonly isOpen: boolean
  /** Every role in any permission; `*` is an authenticated caller without any of them. */
  readonly roles: readonly string[]
  /** Every table of a permission, and every table of the catalog if there is one: `<connection>.<table>`. */
  readonly tables: readonly string[]
  /** By role, then table, then operation. */
  readonly entries: readonly MatrixEntry[]
}

/** What a role may do with a table. */
export interface MatrixEntry {
  readonly role: string
  readonly table: string
  readonly operation: Operation
  /** The grants of single permissions: rows are combined, but one permission alone must cover a write. */
  readonly grants: readonly MatrixGrant[]
  /** Conditions that narrow all grants. */
  readonly restrict: readonly string[]
  /** `select` only: columns that are NULL in rows where their condition is not TRUE. */
  readonly masked: readonly { readonly column: string; readonly visibleWhen: string }[]
}

/** Conditions are texts; an absent one is TRUE. */
export interface MatrixGrant {
  readonly permission: string
  /** All columns of the table if its columns are unknown; absent for `delete`. */
  readonly columns?: readonly string[] | '*'
  readonly where?: string
  readonly check?: string
  /** Column and value. */
  readonly presets?: Readonly<Record<string, string>>
  readonly limit?: number
  /** Aggregates over the table are refused. */
  readonly aggregate?: false
}
