/** @module The rows that an UPDATE or DELETE writes: found, locked, and kept with additional computed values. */

import { GatewayError } from '@engine/core/adapter'
import type { SqlType } from '@engine/core/catalog'
import type { CellTable } from '@engine/core/print'
import { clauses, columnName, commaList, type Sql, sql } from '@engine/core/print'
import {
  changedTables,
  type DeleteWrite,
  readsOneOf,
  type SecuredTable,
  type UpdateWrite,
  type WriteSecurity,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import type { PrintContext } from '../print-context.ts'
import { baseColumns } from '../query/base-table.ts'
import { printFrom } from '../query/print-from.ts'
import { printPolicyFilter } from '../query/print-policy-filter.ts'
import { printCtes } from '../query/print-query.ts'
import { printNarrowedTable } from '../query/print-secured-table.ts'
import type { MaterializedStep } from './materialized-rows.ts'
import type { RowKey } from './row-key.ts'
import type { StepList } from './write-plan.ts'

/** The security of an UPDATE or DELETE. */
export interface SecuredWrite extends WriteSecurity {
  readonly rows: SecuredTable
}

/** @throws {GatewayError} `internal` for a write that was not authorized. */
export function securityOf({ security }: UpdateWrite | DeleteWrite): SecuredWrite {
  const rows = security?.rows
  if (security === undefined || rows === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  return { ...security, rows }
}

/** A value computed in addition to the key of a row. */
export interface MaterializedValue {
  readonly sql: Sql
  readonly type: SqlType
}

/**
 * Keeps the key of each row, followed by `values`. The rows are locked: the computed facts stay true, and the current version of
 * a row is read even if another transaction just changed it.
 */
export function materializeRows(
  write: UpdateWrite | DeleteWrite,
  key: RowKey,
  values: (rows: CellTable) => readonly MaterializedValue[],
  steps: StepList,
  context: PrintContext,
): MaterializedStep {
  const { rows, oldConditions } = securityOf(write)
  const others = write.kind === 'update' ? write.from : write.using
  const ctes = printCtes(write.ctes, context)
  const narrowed = printNarrowedTable(rows, context, {
    key: key.parts,
    raw: oldConditions,
    locks: true,
  })
  context.relations.set(rows.id, { column: narrowed.column })
  context.relations.set(write.target.oldRow, { column: narrowed.column })
  const from =
    others.length === 0 ? narrowed.sql : sql`${narrowed.sql}, ${printFrom(others, context)}`
  const where = write.where && sql`where ${printFilter(write.where, context)}`
  const keys = narrowed.key.map((part, index) => ({
    sql: part,
    type: key.columns[index]?.type ?? { oid: 25, typmod: -1 },
  }))
  const kept = [...keys, ...values(narrowed)]
  const outputs = kept.map((each, index) => sql`${each.sql} as ${columnName(index)}`)
  const text = clauses(ctes, sql`select ${commaList(outputs)} from ${from}`, where)
  return steps.keep(
    text,
    kept.map(({ type }) => type),
  )
}

/**
 * The row filter on the target of the final statement, with its alias there: a row that the caller may not touch is not written,
 * however it was found. Undefined where the filter reads the table itself, which the server does not allow in a statement that
 * writes it, or a table that foreign keys change meanwhile: then only the lock on the row and its key protect it.
 */
export function printTargetFilter(
  write: UpdateWrite | DeleteWrite,
  alias: Sql,
  context: PrintContext,
): Sql | undefined {
  const { table } = write.target
  const { rows } = securityOf(write)
  const changed = changedTables(write, context.tables)
  if (rows.filter === undefined || readsOneOf(rows.filter, changed)) return undefined
  context.relations.set(rows.base, { column: baseColumns(table, alias) })
  return sql` where ${printPolicyFilter(rows.filter, context)}`
}
