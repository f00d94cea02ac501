import type { Faults } from '../../../foundation/faults.ts'
import type { Connection, Table } from '../../catalog/catalog.ts'

/** The context of a filter while it is checked. */
export interface FilterContext {
  readonly connection: Connection
  /** The table whose rows are tested. */
  readonly table: Table
  /** The outer table, inside `$exists`; `{ $outer: column }` refers to its row. */
  readonly outer: Table | undefined
  readonly faults: Faults
}
