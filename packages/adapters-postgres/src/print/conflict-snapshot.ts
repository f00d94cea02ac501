/**
 * @module The conflicting rows of DO UPDATE, before the update. RETURNING shows rows as they are stored, but a subquery
 * in it still sees the table from the beginning of the statement.
 */

import type { Table } from '@engine/core/catalog'
import { joinSql, keyword, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  type InsertWrite,
  unsupportedConstruct,
  type WriteSecurity,
} from '@engine/core/tree'
import { equalityOf } from './equality.ts'
import type { PrintContext } from './print-context.ts'
import { tableColumnName, tableColumns, tableName } from './relation-columns.ts'

export interface Snapshot {
  /** `security.oldConditions` in a form for RETURNING: TRUE for a row that did not exist. */
  readonly conditions: readonly Sql[]
  /**
   * In DO UPDATE: the row existed when the statement began, and no condition has changed since. Otherwise another
   * transaction has changed it in between, and RETURNING would check another row than the one that is updated.
   */
  readonly isUnchanged: () => Sql
}

/** Undefined where no check reads the row before the update. */
export function snapshotOf(
  write: InsertWrite,
  { oldConditions }: WriteSecurity,
  context: PrintContext,
): Snapshot | undefined {
  const { target, onConflict } = write
  if (oldConditions.length === 0 || onConflict?.action.kind !== 'update') return undefined
  const { table, oldRow, newRow } = target
  const key = onConflict.target?.columns ?? []
  if (onConflict.action.assignments.some(({ column }) => key.includes(column))) {
    const construct = 'ON CONFLICT DO UPDATE of the key under several permissions to update'
    throw unsupportedConstruct(construct, 'PostgreSQL', undefined)
  }
  if (onConflict.target?.index !== undefined || !isProven(table, key)) {
    const construct =
      'ON CONFLICT DO UPDATE over a key that may find several rows, under several permissions to update'
    throw unsupportedConstruct(construct, 'PostgreSQL', undefined)
  }
  const before = keyword(`p${newRow}`)
  const stored = keyword(`t${newRow}`)
  const sameRow = key.map((column) => {
    const name = tableColumnName(table, column)
    return sql`(${before}.${name} ${equalityOf(context.types, table, column)} ${stored}.${name})`
  })
  const from = sql`from ${tableName(table)} as ${before} where ${joinSql(sameRow, ' and ')}`
  const onRow = (condition: Expression, alias: Sql): Sql => {
    context.relations.set(oldRow, tableColumns(table, alias))
    return sql`(${context.printExpression(condition, context)} is true)`
  }
  return {
    conditions: oldConditions.map(
      (condition) => sql`coalesce((select ${onRow(condition, before)} ${from}), true)`,
    ),
    isUnchanged: () => {
      const same = oldConditions.map(
        (condition) => sql`(${onRow(condition, before)} = ${onRow(condition, stored)})`,
      )
      return sql`exists (select ${from} and ${joinSql(same, ' and ')})`
    },
  }
}

function isProven({ rowKeys = [] }: Table, key: readonly number[]): boolean {
  return rowKeys.some(
    (columns) => columns.length === key.length && columns.every((column) => key.includes(column)),
  )
}
