/** @module The rows that DO UPDATE will change, before the change: a check that reads them cannot be evaluated afterwards. */

import {
  columnAt,
  columnName,
  commaList,
  identifier,
  integer,
  joinSql,
  parameter,
  type Sql,
  sql,
} from '@engine/core/print'
import type { InsertWrite } from '@engine/core/tree'
import { aliasOf, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns, tableName } from '../query/base-table.ts'
import { printCtes } from '../query/print-query.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { collated, proposedKeys } from './duplicate-keys.ts'
import { changesKey, isRow, keptItem, keptKey, type RowKey } from './write-target.ts'

export interface RowsBefore {
  /** Keeps the keys of the rows, and `security.oldConditions` on them. Undefined where no conflict is possible. */
  readonly step: PrintedStep | undefined
  /** The conditions for the current row of `alias`, where `step` is step number `place`: TRUE for a new row. */
  conditions(place: number, alias: Sql): readonly Sql[]
}

/** Undefined where no check reads the row before the update. */
export function rowsBefore(
  write: InsertWrite,
  key: RowKey,
  context: PrintContext,
): RowsBefore | undefined {
  const { onConflict, security } = write
  const old = security?.oldConditions ?? []
  if (old.length === 0 || onConflict?.action.kind !== 'update') return undefined
  if (changesKey(key, onConflict.action.assignments)) {
    return refuse('ON CONFLICT DO UPDATE of the key under several permissions to update', undefined)
  }
  const step = keepStep(write, key, context)
  if (step === undefined) return { step, conditions: () => old.map(() => integer(1)) }
  return {
    step,
    conditions: (place, alias) =>
      old.map((_, index) => {
        const kept = aliasOf(context.nextId(), context)
        const value = keptItem(kept, key.columns.length + index)
        const rows = sql`json_each(${parameter({ from: 'step', step: place })}) as ${kept}`
        const found = sql`select ifnull(${value}, ${integer(0)}) from ${rows} where ${isRow(key, alias, keptKey(key, kept, 0))}`
        return sql`ifnull((${found}), ${integer(1)})`
      }),
  }
}

function keepStep(write: InsertWrite, key: RowKey, context: PrintContext): PrintedStep | undefined {
  const proposed = proposedKeys(write, 1, context)
  if (proposed === undefined) return undefined
  const { table, oldRow } = write.target
  const before = aliasOf(context.nextId(), context)
  const keys = aliasOf(context.nextId(), context)
  context.relations.set(oldRow, { column: baseColumns(table, before) })
  const conditions = (write.security?.oldConditions ?? []).map(
    (condition) => sql`(${print(condition, context)}) is true`,
  )
  const same = proposed.columns.map((column, index) => {
    const name = identifier(columnAt(table, column.ordinal).name)
    return sql`${collated(column, sql`${before}.${name}`)} = ${keys}.${columnName(index)}`
  })
  const from = sql`(${proposed.rows}) as ${keys} join ${tableName(table)} as ${before} on ${joinSql(same, ' and ')}`
  const select = sql`select ${commaList([...key.parts(before), ...conditions])} from ${from}`
  const prefix = printCtes(write.ctes, context)
  return makeStep(prefix === undefined ? select : sql`${prefix} ${select}`, 'keep')
}
