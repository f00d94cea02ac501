/**
 * @module `WHERE CURRENT OF`: the test whether a row is the current one of a cursor. The cursor is the client session's, which knows
 * where its current row is stored; the place is sent as two more parameters.
 */
import type { Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'

/**
 * `call(currentRow, [tableoid, ctid, wanted table, wanted place])`: is the row stored there, in the version that the statement sees?
 * The place is that of an earlier version where the row was updated since. Only the binder makes its calls.
 */
export const currentRow: PgFunction = {
  oid: 0,
  name: 'engine_current_row',
  kind: 'function',
  argumentOids: [oids.oid, oids.record, oids.oid, oids.text],
  defaultCount: 0,
  resultOid: oids.bool,
  returnsSet: false,
  isStrict: true,
  volatility: 'stable',
  isLeakproof: true,
  canRaise: false,
  isAllowed: false,
  signature: 'engine_current_row(oid, tid, oid, text)',
}

/** A cursor that a statement names, and the table that it writes there. */
export interface CursorReference {
  readonly cursor: string
  readonly table: Table
  /** The parameter with the place in the table; the next one is the number of the table. Both follow those of the client. */
  readonly index: number
}
